import { address, problemOf, runPath, sent } from '../../api/client.ts';
import type { LinePlace } from './notes-on-file.ts';
import { type DiffFile, visibleLine } from './diff-files.ts';

/** The two trees that are compared, and whose they are. */
export interface ComparedTrees {
  readonly run: string;
  readonly workspace: string;
  readonly before: string;
  readonly after: string;
}

export interface BothVersions {
  readonly before: string;
  readonly after: string;
}

/** Where a file of one of the trees is read from. */
export const fileAddress = ({ run, workspace }: ComparedTrees, tree: string, path: string): string =>
  address(runPath(run, '/file'), { workspace, path, tree });

const MOST = 60;

/** Files that somebody unfolded beyond what the patch shows, both versions of each, by the key of the change. */
class WholeFiles {
  readonly #known = new Map<string, BothVersions>();

  async read(trees: ComparedTrees, file: { readonly path: string; readonly key: string }): Promise<BothVersions> {
    const known = this.#known.get(file.key);
    if (known !== undefined) return known;
    const [before, after] = await Promise.all(
      [trees.before, trees.after].map((tree) => readText(fileAddress(trees, tree, file.path))),
    );
    const both = { before: before ?? '', after: after ?? '' };
    for (const [oldest] of this.#known) if (this.#known.size >= MOST) this.#known.delete(oldest);
    this.#known.set(file.key, both);
    return both;
  }

  /** Null where the file was not read, or has no such line. */
  line(key: string, { line, side }: LinePlace): string | null {
    const both = this.#known.get(key);
    if (both === undefined || line === 0) return null;
    return (side === 'old' ? both.before : both.after).split('\n')[line - 1] ?? null;
  }
}

export const wholeFiles = new WholeFiles();

/** As the lines of a patch are shown: nothing in it is hidden. */
async function readText(url: string): Promise<string> {
  const answer = await sent(url, {});
  if (!answer.ok) throw problemOf(answer.status, await answer.json().catch(() => null));
  return (await answer.text()).split('\n').map(visibleLine).join('\n');
}

/** A line of a file's part of a patch, by its number in each version; 0 where that version has not got it. */
interface PatchLine {
  readonly before: number;
  readonly now: number;
  readonly text: string;
}

function patchLines(text: string): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  // Before the first of its parts nothing is a line of the file.
  let [before, now, isInside] = [0, 0, false];
  for (const line of text.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (hunk !== null) [before, now, isInside] = [Number(hunk[1]), Number(hunk[2]), true];
    else if (line.startsWith('diff --git ')) isInside = false;
    else if (isInside && /^[-+ ]/.test(line)) {
      const [isOld, isNew] = [!line.startsWith('+'), !line.startsWith('-')];
      lines.push({ before: isOld ? before : 0, now: isNew ? now : 0, text: line.slice(1) });
      before += Number(isOld);
      now += Number(isNew);
    }
  }
  return lines;
}

/** The text of a line, from the patch or an unfolded part. */
export function lineText({ text, key }: DiffFile, { line, side }: LinePlace): string | null {
  const found = patchLines(text).find(({ before, now }) => (side === 'old' ? before : now) === line);
  return found?.text ?? wholeFiles.line(key, { line, side });
}

/** A line of the old version that is still there is a line of the new one. */
export function placeNow({ text }: DiffFile, place: LinePlace): LinePlace {
  if (place.side === 'new') return place;
  const lines = patchLines(text);
  const own = lines.find(({ before }) => before === place.line);
  if (own !== undefined) return own.now === 0 ? place : { line: own.now, side: 'new' };
  // Outside of its parts both versions are the same, moved by what came and went above.
  return { line: place.line + movedBefore(text, place.line), side: 'new' };
}

function movedBefore(text: string, line: number): number {
  let moved = 0;
  for (const [, start, count = '1', startNow, countNow = '1'] of text.matchAll(HUNKS)) {
    const end = endOf(Number(start), Number(count));
    if (end <= line) moved = endOf(Number(startNow), Number(countNow)) - end;
  }
  return moved;
}

const HUNKS = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm;

/** The line behind; where there is none in it, git names the one before it. */
const endOf = (start: number, count: number): number => start + Math.max(count, 1);
