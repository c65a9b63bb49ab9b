export interface Wrapping {
  readonly width: number;
  /** Columns that are taken in the first line. */
  readonly first?: number;
  /** The beginning of later lines. */
  readonly indent?: string;
}

/** A line of text as lines that fit a terminal, cut between words: a terminal itself would cut in the middle of them. */
export function wrapWords(line: string, { width, first = 0, indent = '' }: Wrapping): string {
  const lines: string[] = [];
  let rest = line;
  let room = width - first;
  while (rest.length > room) {
    const space = rest.lastIndexOf(' ', room);
    // A word that is wider than all of it stays whole: it may be a path or a command.
    const cut = space > indent.length ? space : rest.indexOf(' ', Math.max(room, indent.length));
    if (cut < 0) break;
    lines.push(rest.slice(0, cut));
    rest = `${indent}${rest.slice(cut + 1)}`;
    room = width;
  }
  return [...lines, rest].join('\n');
}
