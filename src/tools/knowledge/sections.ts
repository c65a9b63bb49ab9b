/** A piece of a document that is found as a whole. */
export interface Section {
  readonly heading: string;
  /** Of its first line, counted from 1. */
  readonly line: number;
  readonly body: string;
}

/** Cuts a document at its headings, and where a part grows too long for one answer. */
export function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [];
  let heading = '';
  let start = 0;
  const lines = text.split(/\r\n|[\n\r]/, MAX_LINES).map((line) => plain(line));
  const cut = (end: number) => {
    const body = lines.slice(start, end).join('\n');
    if (body.trim() !== '') sections.push({ heading, line: start + 1, body });
    start = end;
  };
  for (const [at, line] of lines.entries()) {
    const own = headingIn(line, lines[at + 1] ?? '');
    if (own !== null || at - start >= SECTION_LINES) cut(at);
    heading = own ?? heading;
  }
  cut(lines.length);
  return sections.slice(0, MAX_SECTIONS);
}

export const MAX_SECTIONS = 10_000;
const SECTION_LINES = 40;
const MAX_LINES = 200_000;
const MAX_LINE = 2000;

/** Marks made of control characters show where words were found, so the text itself has none. */
function plain(line: string): string {
  // oxlint-disable-next-line no-control-regex
  return line.slice(0, MAX_LINE).replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F]/g, ' ');
}

/** Markdown, AsciiDoc and Org put marks before a heading, reStructuredText a line below it. */
function headingIn(line: string, next: string): string | null {
  const marked = /^(?:#{1,6}|={1,6}|\*{1,6})\s+(\S.*)$/.exec(line)?.[1];
  if (marked !== undefined) return marked.trim().slice(0, 200);
  const isUnderlined = /^([=\-~^"'*+#])\1{2,}\s*$/.test(next) && next.trim().length >= line.trim().length;
  return isUnderlined && /^\S/.test(line) && /\p{L}/u.test(line) ? line.trim().slice(0, 200) : null;
}
