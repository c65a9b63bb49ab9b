/** Estimates the width of text and breaks lines by counting characters, so that layout and drawing agree. */

/** Sizes of letters in a drawing, in pixels. None is much smaller than the rest, so that a drawing can be made smaller and still be read. */
export const LABEL_SIZE = 13;
export const DETAIL_SIZE = 12.5;
export const EDGE_SIZE = 12.5;

const EDGE_WIDTH = 184;
const EDGE_LINES = 2;
export const LINE_HEIGHT = 15;

export function textWidth(text: string, size: number): number {
  let units = 0;
  for (const character of text) units += unitsOf(character);
  return Math.ceil(units * size);
}

const NARROW = new Set("iljtfr.,:;!|'`()[]{} ");
const BROAD = new Set('=<>+~%@#&mwMW');
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/u;
const NOTHING = /\p{M}|\p{Cf}/u;

function unitsOf(character: string): number {
  if (NARROW.has(character)) return 0.37;
  if (BROAD.has(character)) return 0.86;
  if (character <= '~') return character >= 'A' && character <= 'Z' ? 0.72 : 0.62;
  if (NOTHING.test(character)) return 0;
  return WIDE.test(character) ? 1.05 : 0.66;
}

/** The beginning of a text that fits, with a sign that there is more. */
export function clippedTo(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (textWidth(`${kept}${character}…`, size) > width) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** The label of an edge: at most two lines. */
export function labelLines(text: string): readonly string[] {
  const lines: string[] = [];
  let rest = text.replaceAll(/\s+/g, ' ').trim();
  while (rest !== '' && lines.length < EDGE_LINES - 1 && textWidth(rest, EDGE_SIZE) > EDGE_WIDTH) {
    const cut = breakOf(rest);
    lines.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return rest === '' ? lines : [...lines, clippedTo(rest, EDGE_WIDTH, EDGE_SIZE)];
}

/** After the last word or part of a name that fits, or inside one that would leave the line almost empty. */
function breakOf(text: string): number {
  let fitting = 0;
  let space = 0;
  for (const character of text) {
    const next = fitting + character.length;
    if (textWidth(text.slice(0, next), EDGE_SIZE) > EDGE_WIDTH) break;
    fitting = next;
    if (character === ' ' || character === '.') space = next;
  }
  return space > fitting * 0.4 ? space : Math.max(fitting, 1);
}

export function labelSize(text: string): { readonly width: number; readonly height: number } | null {
  const lines = labelLines(text);
  if (lines.length === 0) return null;
  const width = Math.max(...lines.map((line) => textWidth(line, EDGE_SIZE)));
  return { width: width + 8, height: lines.length * LINE_HEIGHT + 4 };
}
