import type { Paint, Style } from '../terminal/colour.ts';

/**
 * A patch for the eyes: coloured, and with every character that would move a cursor, turn the direction of writing or be
 * invisible written out. For programs the bytes are handed on as they are instead.
 */
export function patchText(patch: Buffer, paint: Paint): string {
  const lines = patch.toString('utf8').split('\n');
  const state = { inHeader: false };
  return lines.map((line) => patchLine(line, paint, state)).join('\n');
}

function patchLine(line: string, paint: Paint, state: { inHeader: boolean }): string {
  if (line.startsWith('diff --git ')) state.inHeader = true;
  else if (line.startsWith('@@ ') || line.startsWith('GIT binary patch')) state.inHeader = false;
  const style = state.inHeader ? 'bold' : LINE_STYLES[line[0] ?? ''];
  const text = visible(line);
  return style === undefined || text === '' ? text : paint(style, text);
}

const LINE_STYLES: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '@': 'cyan' };

/** Shown rather than left out: a reviewer has to see that it is there. */
const visible = (line: string): string => line.replaceAll(HIDDEN, (character) => `<${codeOf(character)}>`);

/** Controls but the tab; direction marks, zero-width and tag characters; line ends of other alphabets. */
const HIDDEN = /(?!\t)[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
