import { gitSees } from '../store/entries.ts';
import type { TreeId } from '../../core/model/ids.ts';
import type { TreeChange, TreeEntry, TreeStore } from '../store/port.ts';
import { storeGit } from '../git.ts';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { shownPath } from '../../lib/confined-path.ts';
import { errorCode } from '../../lib/held-folder.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import type { BytePath } from '../byte-path.ts';
import { withStoreFaults } from '../store/store-fault.ts';

/** What changed from one tree to another: each change, how many lines, and a patch that `git apply` takes. Bytes stay exact. */
export async function diffTrees(store: TreeStore, trees: TreePair, options: DiffOptions = {}): Promise<TreeDiff> {
  const changes = await store.compare(trees.before, trees.after);
  const { trees: comparable, large } = await withoutLarge(store, trees, changes);
  const { fields, patch } = apart(await diffWith(store, comparable, [...COUNT_WORDS, ...patchWords(options)]));
  const stat = withBinary(countLines(fields), large);
  return { changes, stat, patch, beyondPatch: changes.filter((one) => large.includes(one) || isBeyondPatch(one)) };
}

export interface TreePair {
  readonly before: TreeId;
  readonly after: TreeId;
}

export interface DiffOptions {
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
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
}

const COUNT_WORDS = ['--no-renames', '--numstat', '-z'];

function patchWords({ patch }: DiffOptions): readonly string[] {
  if (patch === false) return [];
  return patch === 'read' ? ['-p'] : ['-p', '--binary', '--full-index'];
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

/** `added TAB removed TAB path`. Binary files count as `-`. */
function readStats(fields: readonly string[]): readonly FileStat[] {
  return fields.map((field) => {
    const [added, removed, ...path] = field.split('\t');
    const counts = { added: Number(added) || 0, removed: Number(removed) || 0, isBinary: added === '-' };
    return { path: path.join('\t'), ...counts };
  });
}

async function diffWith(store: TreeStore, trees: TreePair, words: readonly string[]): Promise<Buffer> {
  const safe = ['--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];
  const sides = ['--end-of-options', `${trees.before}:files`, `${trees.after}:files`];
  return storeGit(store, ['diff-tree', '-r', ...safe, ...words, ...sides]);
}

/** Git knows files and links, and of a mode only whether the owner may execute. */
function isBeyondPatch({ before, after }: TreeChange): boolean {
  return gitSees(before) === gitSees(after) || [before, after].some((entry) => hasModeOfItsOwn(entry));
}

function hasModeOfItsOwn(entry: TreeChange['before']): boolean {
  return entry?.kind === 'file' && entry.mode !== 0o644 && entry.mode !== 0o755;
}

/**
 * Two trees without the files that changed between them and are too large for git to compare: it would hold them whole, and
 * print them whole into a patch.
 */
export async function withoutLarge(
  store: TreeStore,
  trees: TreePair,
  changes: readonly TreeChange[],
): Promise<ComparableTrees> {
  const large: TreeChange[] = [];
  for (const change of changes) if (await isLarge(store, change)) large.push(change);
  if (large.length === 0) return { trees, large };
  const reduced = async (tree: TreeId): Promise<TreeId> => {
    const entries = new Map(await store.entries(tree));
    for (const { path } of large) entries.delete(path);
    return store.write(entries);
  };
  return { trees: { before: await reduced(trees.before), after: await reduced(trees.after) }, large };
}

export interface ComparableTrees {
  readonly trees: TreePair;
  readonly large: readonly TreeChange[];
}

async function isLarge(store: TreeStore, { before, after }: TreeChange): Promise<boolean> {
  return (await sizeOf(store, before)) > MAX_PATCHED_BYTES || (await sizeOf(store, after)) > MAX_PATCHED_BYTES;
}

async function sizeOf(store: TreeStore, entry: TreeEntry | null): Promise<number> {
  return entry?.kind === 'file' ? store.sizeOf(entry.blob) : 0;
}

const MAX_PATCHED_BYTES = 32 * 1024 * 1024;

/** Writes the patch from one tree to another into a file, whole or not at all. An existing file is kept by default. */
export async function writePatch(store: TreeStore, options: PatchOptions): Promise<TreeDiff> {
  const diff = await diffTrees(store, options);
  await withStoreFaults(options.file, () => writeWhole(options, Buffer.concat([headOf(options), diff.patch])));
  return diff;
}

/** No line of it can be taken for one of the patch. */
function headOf({ head = [] }: PatchOptions): Buffer {
  const lines = head.flatMap((text) => text.split(/[\r\n]+/)).map((line) => `# ${line}\n`);
  return Buffer.from(lines.join(''));
}

export interface PatchOptions extends TreePair {
  readonly file: string;
  readonly overwrite?: boolean;
  /** Lines that stand before the first file, where programs that apply patches skip them. */
  readonly head?: readonly string[];
}

async function writeWhole({ file, overwrite }: PatchOptions, bytes: Buffer): Promise<void> {
  if (overwrite !== true && existsSync(file)) {
    // An earlier process wrote it and died before it could say so.
    if (bytes.equals(await readFile(file))) return;
    throw isThere(file);
  }
  // Node's own way of making several folders at once never returns below /proc.
  makeFolder(dirname(file));
  const partial = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomBytes(6).toString('hex')}.partial~`);
  try {
    const handle = await open(partial, 'wx', 0o666);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (overwrite === true) await rename(partial, file);
    else await link(partial, file);
  } catch (error) {
    throw errorCode(error) === 'EEXIST' ? isThere(file) : error;
  } finally {
    await unlink(partial).catch(() => undefined);
  }
}

function isThere(file: string): Fault {
  return new Fault('FILE_EXISTS', `${shownPath(file)} is there already.`, {
    hint: 'Give the patch another name, or remove that file first.',
    facts: { file },
  });
}
