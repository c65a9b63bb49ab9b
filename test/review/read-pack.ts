/** Reads what reviewers are given, as somebody reads who has nothing else: headings, evidence, hunks with their line numbers. */

export interface ShownLine {
  /** In the file as it is now. */
  readonly line: number;
  readonly text: string;
}

export interface ShownFile {
  readonly added: readonly ShownLine[];
  readonly removed: readonly string[];
}

export interface ShownImplementation {
  readonly id: string;
  /** What the engine says of its tests; null when it says nothing. */
  readonly isGreen: boolean | null;
  readonly files: ReadonlyMap<string, ShownFile>;
}

export function readPack(text: string): readonly ShownImplementation[] {
  return text
    .split(/^# Implementation /m)
    .slice(1)
    .map((part) => {
      const id = /^\S+/.exec(part)?.[0] ?? '';
      return { id, isGreen: greenIn(part), files: filesIn(part) };
    });
}

function greenIn(part: string): boolean | null {
  const said = /^Evidence: .*run by the engine, is (green|RED)/m.exec(part)?.[1];
  return said === undefined ? null : said === 'green';
}

function filesIn(part: string): ReadonlyMap<string, ShownFile> {
  const diffs = part.split(/^diff --git /m).slice(1);
  return new Map(diffs.map((diff) => [/^\+\+\+ b\/(.*)$/m.exec(diff)?.[1]?.trim() ?? '', linesIn(diff)]));
}

function linesIn(diff: string): ShownFile {
  const added: ShownLine[] = [];
  const removed: string[] = [];
  let line = 0;
  for (const text of diff.split('\n')) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text)?.[1];
    if (start !== undefined) line = Number(start);
    else if (line === 0) continue;
    else if (text.startsWith('-')) removed.push(text.slice(1));
    else {
      if (text.startsWith('+')) added.push({ line, text: text.slice(1) });
      line += 1;
    }
  }
  return { added, removed };
}

/** A finding as it is put before a reviewer in the debate. */
export interface ShownFinding {
  readonly id: string;
  readonly implementation: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly claim: string;
  readonly isAwaited: boolean;
}

/** The open findings of the newest words; none when it is no debate. */
export function readFindings(text: string): readonly ShownFinding[] {
  const open = /^## Open findings\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text)?.[1] ?? '';
  return open
    .split(/^(?=F\d+ \[)/m)
    .filter((block) => /^F\d+ \[/.test(block))
    .map((block) => {
      const [head = '', claim = ''] = block.split('\n');
      const [, id = '', implementation = '', place = ''] = /^(F\d+) \[[^\]]*\] (\S+) (\S+)/.exec(head) ?? [];
      const [, file = null, line = null] = /^(.+):(\d+)$/.exec(place) ?? [];
      const isAwaited = block.includes('→ Give your stance.');
      return {
        id,
        implementation,
        file,
        line: line === null ? null : Number(line),
        claim: claim.trim(),
        isAwaited,
      };
    });
}
