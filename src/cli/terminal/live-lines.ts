/**
 * A few lines at the bottom of a terminal that change in place, with ordinary lines scrolling above them.
 * It rewrites only what it wrote itself, inside synchronised output, and never clears the screen or the scrollback.
 */
export interface LiveLines {
  log(line: string): void;
  show(lines: readonly string[]): void;
  close(): void;
}

export interface TerminalStream {
  readonly columns?: number;
  write(text: string): unknown;
}

const ESCAPE = '\u001B[';
const BEGIN = `${ESCAPE}?2026h`;
const END = `${ESCAPE}?2026l`;

export function createLiveLines(stream: TerminalStream): LiveLines {
  let shown: readonly string[] = [];

  const draw = (above: string, lines: readonly string[]): void => {
    if (above === '' && lines.length === shown.length && lines.every((line, index) => line === shown[index])) return;
    stream.write(BEGIN + erase(shown.length) + above + lines.map((line) => `${line}\n`).join('') + END);
    shown = lines;
  };

  return {
    log: (line) => draw(`${line}\n`, shown),
    show: (lines) =>
      draw(
        '',
        lines.map((line) => fit(line, stream.columns || 80)),
      ),
    close: () => draw('', []),
  };
}

/** Up over our own lines, emptying each. */
const erase = (count: number): string => `${ESCAPE}1A${ESCAPE}2K`.repeat(count) + (count > 0 ? '\r' : '');

/** A line that wrapped would be two on the screen and one in our count. */
function fit(line: string, columns: number): string {
  let width = 0;
  let fitting = '';
  for (const character of line) {
    // Everything from Hangul upwards may be two columns wide; counting it so can only shorten the line.
    width += (character.codePointAt(0) ?? 0) >= 0x11_00 ? 2 : 1;
    if (width > columns - 2) return `${fitting}…`;
    fitting += character;
  }
  return line;
}
