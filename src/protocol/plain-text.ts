/**
 * Makes text from agents, tools and files safe to print: it moves no cursor, changes no title, hides nothing.
 * Two passes, both linear: whole escape sequences go first (with their content), then every remaining character that
 * is not plain text.
 */
export function plainText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(SEQUENCES, '')
    .replace(LINE_BREAKS, '\n')
    .replace(UNPRINTABLE, '')
    .toWellFormed();
}

/** On one line, at most `width` characters. */
export function oneLine(text: string, width = 200): string {
  const line = plainText(text).replaceAll(/\s+/g, ' ').trim();
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
}

const LINE_BREAKS = /[\v\f\u0085\u2028\u2029]/gu;

/** Controls but tab and newline; direction marks, zero-width and tag characters. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cf}]/gu;

/* oxlint-disable no-control-regex -- escapes are what it looks for */
/** Strings (DCS, SOS, OSC, PM, APC) with their content up to a terminator, a new escape or a line's end; CSI; other escapes. */
const SEQUENCES =
  /(?:\u001B[PX\]^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u0018\u001A\u001B\u009C\n]*(?:\u0007|\u001B\\|\u009C)?|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]?|\u001B[ -/]*[0-~]?/gu;
