import { treeId } from '../../../core/model/ids.ts';
import type { FindingDraft } from '../rules/review.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import { isBinaryContent, MAX_COMPARED_BYTES } from '../../../workspace/changes/conflict.ts';
import type { TreeEntry, TreeStore } from '../../../workspace/store/port.ts';
import type { ReviewPack } from '../rules/review-state.ts';
import { asBytes, asText } from '../../../host/perform/files/text-path.ts';

/** A finding with a normalised place, and whether that place exists. */
export interface Cited<Draft extends FindingDraft = FindingDraft> {
  readonly draft: Draft;
  readonly isVerified: boolean;
  /** The error of a citation, for its author; null also without a citation. */
  readonly problem: string | null;
}

/**
 * Looks up every place in the reviewers' files. Any line of an existing file counts, changed or not: the error may be that it was not
 * changed. A deleted file has no lines.
 */
export async function cite<Draft extends FindingDraft>(
  store: TreeStore,
  pack: ReviewPack | null,
  drafts: readonly Draft[],
): Promise<readonly Cited<Draft>[]> {
  if (pack === null) return [];
  const cited: Cited<Draft>[] = [];
  for (const given of drafts) {
    const draft = plainPlace(given);
    const problem = await whatIsWrong(store, pack, draft);
    cited.push({ draft, isVerified: problem === null && draft.file !== null, problem });
  }
  return cited;
}

/** `impl_1/src/a.ts:12` and `./src/a.ts` both mean `src/a.ts`. */
function plainPlace<Draft extends FindingDraft>(draft: Draft): Draft {
  if (draft.file === null) return draft;
  const [, path = '', line] = /^(.*?)(?::(\d+)(?:[-:]\d+)?)?$/s.exec(draft.file.trim()) ?? [];
  const below = draft.implementation === null ? '' : `${draft.implementation}/`;
  let file = path.replace(/^(?:\.\/)+/, '');
  if (below !== '' && file.startsWith(below)) file = file.slice(below.length);
  return { ...draft, file: file === '' ? null : file, line: draft.line ?? (line === undefined ? null : Number(line)) };
}

async function whatIsWrong(store: TreeStore, pack: ReviewPack, draft: FindingDraft): Promise<string | null> {
  const { file, implementation } = draft;
  if (file === null) return null;
  const ids = implementation === null ? Object.keys(pack.trees) : [implementation];
  const wrong: string[] = [];
  for (const id of ids) {
    const problem = await wrongIn(store, pack, { id, file, line: draft.line });
    if (problem === null) return null;
    wrong.push(problem);
  }
  return wrong[0] ?? `${shownPath(file)}: there is no implementation it could be in.`;
}

interface Place {
  readonly id: string;
  readonly file: string;
  readonly line: number | null;
}

async function wrongIn(store: TreeStore, pack: ReviewPack, { id, file, line }: Place): Promise<string | null> {
  const tree = pack.trees[id];
  if (tree === undefined) return `The implementation ${id} is not among those under review.`;
  if (line !== null && isChanged(pack, { id, file, line })) return null;
  const entries = await store.entries(treeId(tree));
  const entry = entries.get(asBytes(file));
  if (entry !== undefined && entry.kind !== 'folder') return await wrongLine(store, entry, { id, file, line });
  if (isDeleted(pack, { id, file })) return null;
  return `${id} has no file ${shownPath(file)}.${meant(entries, file)}`;
}

const isDeleted = ({ diffs }: ReviewPack, { id, file }: Omit<Place, 'line'>): boolean =>
  diffs[id]?.files.some(({ path, how }) => path === file && how === 'deleted') === true;

async function wrongLine(store: TreeStore, entry: TreeEntry, { id, file, line }: Place): Promise<string | null> {
  if (line === null) return null;
  const count = await linesOf(store, entry);
  if (count === null) return `${shownPath(file)} of ${id} has no lines that could be counted; leave the line out.`;
  return line >= 1 && line <= count ? null : `${shownPath(file)} of ${id} has ${count} lines, but not a line ${line}.`;
}

function isChanged({ diffs }: ReviewPack, { id, file, line }: Place): boolean {
  const ranges = diffs[id]?.hunks[file] ?? [];
  return ranges.some(([start = 0, length = 0]) => line !== null && line >= start && line < start + length);
}

/** A file of the same name elsewhere. */
function meant(entries: ReadonlyMap<string, TreeEntry>, file: string): string {
  const name = asBytes(file.slice(file.lastIndexOf('/') + 1));
  const found = [...entries.keys()].filter((path) => path === name || path.endsWith(`/${name}`)).slice(0, 3);
  return found.length === 0 ? '' : ` There is ${found.map((path) => shownPath(asText(path))).join(', ')}.`;
}

async function linesOf(store: TreeStore, entry: TreeEntry): Promise<number | null> {
  if (entry.kind !== 'file' || (await store.sizeOf(entry.blob)) > MAX_COMPARED_BYTES) return null;
  const bytes = await store.read(entry.blob);
  if (isBinaryContent(bytes)) return null;
  const lines = bytes.toString('latin1').split('\n');
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}
