import type { TreeId } from '../../../core/model/ids.ts';
import { globMatcher, GlobInvalid } from '../../../tools/glob.ts';
import { takeSide, type TakenSide } from '../../../workspace/changes/plan-apply.ts';
import type { TreeChange, TreeEntry, TreeStore } from '../../../workspace/store/port.ts';
import { fileDiffs } from '../../../host/perform/files/file-diffs.ts';
import type { Hunk } from '../../../host/perform/files/parse-patch.ts';
import { asText } from '../../../host/perform/files/text-path.ts';

export interface PartOrder {
  /** Whose files; in the reviewers' workspace they lie in a folder of that name. */
  readonly implementation: string;
  readonly base: TreeId;
  readonly tree: TreeId;
  /** `src/a.ts`, a pattern, the name of a folder, or `src/a.ts:10-20` for the changes in these lines of the implementation. */
  readonly paths: readonly string[];
}

export interface ChosenPart {
  /** The base with nothing but what was chosen. */
  readonly tree: TreeId;
  /** Requested parts that are no change of this implementation. */
  readonly unmatched: readonly string[];
}

/** An implementation's changes to its base, reduced to chosen files or lines. */
export async function chosenPart(
  store: TreeStore,
  { implementation, base, tree, paths }: PartOrder,
): Promise<ChosenPart> {
  const changes = await store.compare(base, tree);
  const taken = new Map<string, TakenSide>();
  const unmatched: string[] = [];
  for (const selection of paths.map((path) => readSelection(path, implementation))) {
    const found = changes.filter(({ path }) => selection.matches(asText(path)));
    let isFound = false;
    for (const change of found) {
      const entry =
        selection.lines === null ? change.after : await linesOf(store, { change, lines: selection.lines, base, tree });
      if (entry === undefined) continue;
      isFound = true;
      const side = entry?.kind === 'file' ? entry : entry?.kind === 'link' ? { ...entry, mode: null } : null;
      taken.set(change.path, { path: change.path, kind: 'content', side, from: tree });
    }
    if (!isFound) unmatched.push(selection.text);
  }
  return { tree: await takeSide(store, base, [...taken.values()]), unmatched };
}

interface SelectedPath {
  readonly text: string;
  readonly matches: (path: string) => boolean;
  readonly lines: readonly [from: number, to: number] | null;
}

function readSelection(text: string, implementation: string): SelectedPath {
  const [, path = text, from, to = from] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/s.exec(text) ?? [];
  const below = path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
  const plain = below.startsWith(`${implementation}/`) ? below.slice(implementation.length + 1) : below;
  const lines = from === undefined ? null : ([Number(from), Number(to)] as const);
  try {
    const [file, below] = [globMatcher(plain), globMatcher(`${plain}/**`)];
    return { text, lines, matches: (one) => file(one) || below(one) };
  } catch (error) {
    if (error instanceof GlobInvalid) return { text, lines, matches: (one) => one === plain };
    throw error;
  }
}

interface LinesOrder {
  readonly change: TreeChange;
  readonly lines: readonly [number, number];
  readonly base: TreeId;
  readonly tree: TreeId;
}

/** The file with the changes in these lines only; undefined where nothing was changed in them. */
async function linesOf(store: TreeStore, { change, lines, base, tree }: LinesOrder): Promise<TreeEntry | undefined> {
  const { before, after } = change;
  if (before?.kind !== 'file' || after?.kind !== 'file') return after ?? undefined;
  const path = asText(change.path);
  const diff = (await fileDiffs(store, { before: base, after: tree })).find((one) => one.path === path);
  const hunks = diff?.hunks ?? [];
  const isChosen = ({ after: [start, length] }: Hunk): boolean =>
    start <= lines[1] && start + Math.max(1, length) > lines[0];
  if (!hunks.some(isChosen)) return undefined;
  const [old, made] = [await store.read(before.blob), await store.read(after.blob)];
  const text = withHunks(
    old.toString('latin1'),
    made.toString('latin1'),
    hunks.map((hunk) => ({ ...hunk, isChosen: isChosen(hunk) })),
  );
  return { ...after, blob: await store.addBlob(Buffer.from(text, 'latin1')) };
}

function withHunks(before: string, after: string, hunks: readonly (Hunk & { readonly isChosen: boolean })[]): string {
  const [old, made] = [linesIn(before), linesIn(after)];
  const out: string[] = [];
  let at = 0;
  for (const {
    before: [oldStart, oldLength],
    after: [start, length],
    isChosen,
  } of hunks) {
    const from = oldStart - 1;
    out.push(...old.slice(at, from));
    out.push(...(isChosen ? made.slice(start - 1, start - 1 + length) : old.slice(from, from + oldLength)));
    at = from + oldLength;
  }
  return [...out, ...old.slice(at)].join('');
}

const linesIn = (text: string): readonly string[] => text.split(/(?<=\n)/);
