import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import type { TreeChange, TreeStore } from '../store/port.ts';
import { storeGit } from './store-git.ts';
import { withoutLarge } from './without-large.ts';

/** What changed from one tree to another: each change, how many lines, and a patch that `git apply` takes. Bytes stay exact. */
export async function diffTrees(store: TreeStore, trees: TreePair, options: DiffOptions = {}): Promise<TreeDiff> {
  const changes = await store.compare(trees.before, trees.after);
  const { trees: comparable, large } = await withoutLarge(store, trees, changes);
  const { fields, patch } = apart(
    await diffWith(store, comparable, [...COUNT_WORDS, ...patchWords(options), ...renameWords(options)]),
  );
  const stat = withBinary(countLines(fields), large);
  return { changes, stat, patch, beyondPatch: changes.filter((one) => large.includes(one) || isBeyondPatch(one)) };
}

export interface TreePair {
  readonly before: TreeId;
  readonly after: TreeId;
}

export interface DiffOptions {
  /** Lines around a change; three when not said. */
  readonly context?: number;
  /** Show a file that got another name as renamed. */
  readonly renames?: boolean;
  /** False: only the changes and the counts. `read`: for readers, without the content of binary files. Default: for `git apply`. */
  readonly patch?: boolean | 'read';
}

export interface TreeDiff {
  /** All of them, modes and empty folders too. */
  readonly changes: readonly TreeChange[];
  readonly stat: DiffStat;
  readonly patch: Buffer;
  /** Changes a patch cannot tell: modes beyond the executable bit, empty folders, very large files, things that are not kept. */
  readonly beyondPatch: readonly TreeChange[];
}

export interface DiffStat {
  readonly files: readonly FileStat[];
  readonly added: number;
  readonly removed: number;
}

export interface FileStat {
  readonly path: BytePath;
  /** The name it had before, where renames are looked for. */
  readonly from?: BytePath;
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
}

const COUNT_WORDS = ['--numstat', '-z'];

function patchWords({ patch, context = 3 }: DiffOptions): readonly string[] {
  if (patch === false) return [];
  const lines = `--unified=${Math.max(0, Math.trunc(context))}`;
  return patch === 'read' ? ['-p', lines] : ['-p', '--binary', '--full-index', lines];
}

/** A patch without the ids of git's objects, which say nothing to a reader. Lines of files never begin like that in a patch. */
export const withoutObjectIds = (patch: string): string =>
  patch.replaceAll(/(?<![^\n])index [0-9a-f]+\.\.[0-9a-f]+(?: \d+)?\n/g, '');

/** Starting git costs more than its work, so both come of one start: an empty field ends the counts, and the patch follows. */
function apart(output: Buffer): { readonly fields: readonly string[]; readonly patch: Buffer } {
  const fields: string[] = [];
  for (let at = 0; ;) {
    const end = output.indexOf(0, at);
    if (end === -1) return { fields, patch: Buffer.alloc(0) };
    if (end === at) return { fields, patch: output.subarray(end + 1) };
    fields.push(output.toString('latin1', at, end));
    at = end + 1;
  }
}

function countLines(fields: readonly string[]): DiffStat {
  const files = readStats(fields);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { files, added: sum(files.map((file) => file.added)), removed: sum(files.map((file) => file.removed)) };
}

/** They have no lines that anybody would count. */
function withBinary(stat: DiffStat, large: readonly TreeChange[]): DiffStat {
  const files = large.map(({ path }): FileStat => ({ path, added: 0, removed: 0, isBinary: true }));
  const all = [...stat.files, ...files];
  return { ...stat, files: large.length === 0 ? stat.files : all.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** `added TAB removed TAB path`; with an empty path for a renamed one, whose two names follow. Binary files count as `-`. */
function readStats(fields: readonly string[]): readonly FileStat[] {
  const files: FileStat[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const [added, removed, ...rest] = (fields[at] ?? '').split('\t');
    if (added === undefined || removed === undefined) continue;
    const counts = { added: Number(added) || 0, removed: Number(removed) || 0, isBinary: added === '-' };
    const path = rest.join('\t');
    if (path !== '') {
      files.push({ path, ...counts });
    } else {
      files.push({ path: fields[at + 2] ?? '', from: fields[at + 1] ?? '', ...counts });
      at += 2;
    }
  }
  return files;
}

const renameWords = ({ renames }: DiffOptions): readonly string[] => [renames === true ? '-M' : '--no-renames'];

async function diffWith(store: TreeStore, trees: TreePair, words: readonly string[]): Promise<Buffer> {
  const safe = ['--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];
  const sides = ['--end-of-options', `${trees.before}:files`, `${trees.after}:files`];
  return storeGit(store, ['diff-tree', '-r', ...safe, ...words, ...sides]);
}

/** Git knows files and links, and of a mode only whether the owner may execute. */
function isBeyondPatch({ before, after }: TreeChange): boolean {
  return gitSees(before) === gitSees(after) || [before, after].some((entry) => hasModeOfItsOwn(entry));
}

function gitSees(entry: TreeChange['before']): string {
  if (entry?.kind === 'file') return `${(entry.mode & 0o100) === 0 ? 'file' : 'program'} ${entry.blob}`;
  return entry?.kind === 'link' ? `link ${entry.blob}` : '';
}

function hasModeOfItsOwn(entry: TreeChange['before']): boolean {
  return entry?.kind === 'file' && entry.mode !== 0o644 && entry.mode !== 0o755;
}
