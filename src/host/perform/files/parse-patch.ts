import { withoutObjectIds } from '../../../workspace/changes/diff-trees.ts';

/** Replaced lines: the first one, and how many. Zero: lines were only added, or only removed, before that line. */
export type PatchRange = readonly [start: number, length: number];

export interface Hunk {
  readonly before: PatchRange;
  readonly after: PatchRange;
}

/** The part of a patch about one file. */
export interface FilePatch {
  readonly text: string;
  readonly hunks: readonly Hunk[];
}

/** Splits a git patch by files, in its order; a file that turned into a link is one file here and two in git. */
export function parsePatch(patch: Buffer): readonly FilePatch[] {
  // Only after a newline: `^` would also match after a carriage return inside a line.
  const sections = patch.toString('latin1').split(/(?<![^\n])(?=diff --git )/);
  const files: { header: string; sections: string[] }[] = [];
  for (const section of sections) {
    if (section === '') continue;
    const header = section.slice(0, section.indexOf('\n'));
    const last = files.at(-1);
    if (last?.header === header) last.sections.push(section);
    else files.push({ header, sections: [section] });
  }
  return files.map((file) => ({
    text: withoutObjectIds(Buffer.from(file.sections.join(''), 'latin1').toString('utf8').toWellFormed()),
    hunks: file.sections.flatMap(hunksIn),
  }));
}

/** Exact lines, without context. */
function hunksIn(section: string): readonly Hunk[] {
  const walk = new HunkWalk();
  for (const line of section.split('\n')) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (header === null) walk.line(line);
    else walk.begin(header);
  }
  walk.close();
  return walk.hunks;
}

class HunkWalk {
  readonly hunks: Hunk[] = [];
  #old = 0;
  #new = 0;
  #removed = 0;
  #added = 0;
  #isInside = false;

  begin([, old, oldCount, made, madeCount]: RegExpExecArray): void {
    this.close();
    // An empty side is named by the line before it.
    this.#old = Number(old) + (oldCount === '0' ? 1 : 0);
    this.#new = Number(made) + (madeCount === '0' ? 1 : 0);
    this.#isInside = true;
  }

  line(line: string): void {
    if (!this.#isInside) return;
    if (line.startsWith('-')) this.#removed += 1;
    else if (line.startsWith('+')) this.#added += 1;
    else if (line.startsWith(' ')) {
      this.close();
      this.#old += 1;
      this.#new += 1;
    }
  }

  close(): void {
    const [removed, added] = [this.#removed, this.#added];
    if (removed + added === 0) return;
    this.hunks.push({ before: [this.#old, removed], after: [this.#new, added] });
    this.#old += removed;
    this.#new += added;
    this.#removed = 0;
    this.#added = 0;
  }
}
