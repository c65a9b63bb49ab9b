import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Fault, isFault } from '../../core/model/fault.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { type BytePath, shownBytes, folderOf } from '../byte-path.ts';
import {
  buildTrees,
  compareTrees,
  encodeManifest,
  joinTree,
  makeManifest,
  openTree,
  readWholeTree,
  splitTree,
  withoutImpliedFolders,
} from './tree-objects.ts';
import { type FolderState, RememberedFolders, stillStored, writtenState } from './remembered-folders.ts';
import { isGitName, type TreeItem } from './git-object.ts';
import { changeGeneration, makeGitDir, readGeneration, RecordedTrees, sweep, sweepTree } from './prune-store.ts';
import { ObjectStore } from './object-store.ts';
import type {
  EntryMap,
  Pruned,
  PruneOptions,
  RecordedTree,
  RecordOptions,
  Restored,
  RestoreOptions,
  StoreSize,
  TreeChange,
  TreeEntry,
  Written,
} from './tree-types.ts';
import { LARGEST_FILE_BYTES, recordFolder } from './record-folder.ts';
import { restoreFolder, withoutLeftOut } from './restore-folder.ts';
import { storeDamaged, storeFault, withStoreFaults } from './store-fault.ts';
import { StoreLock } from './store-lock.ts';

/** Opens the store in a folder, and makes it where there is none. */
export async function openTreeStore(gitDir: string, options: StoreOptions = {}): Promise<TreeStore> {
  const path = resolve(gitDir);
  try {
    makeGitDir(path);
    return new TreeStore(path, await StoreLock.open(join(path, 'lock.db')), options);
  } catch (error) {
    throw storeFault(error, path);
  }
}

export interface StoreOptions {
  /** For every record that says nothing else. */
  readonly maxFileBytes?: number | undefined;
  /** Brings a tree that is asked for and not here, from wherever it may be. */
  readonly bring?: ((store: TreeStore, tree: TreeId) => Promise<unknown>) | undefined;
}

/**
 * Keeps exact pictures of folders. A picture ("tree") is named by one hash over every byte, mode, link and empty folder, so
 * equal files have equal names. Nothing in the folder steers how it is recorded: no filter, attribute, hook or nested
 * repository gets a say, since no program but this one reads it.
 */
export class TreeStore {
  /** A git directory without a work tree: git can read all that is in it. */
  readonly gitDir: string;
  readonly #objects: ObjectStore;
  readonly #lock: StoreLock;
  readonly #recorded: RecordedTrees;
  readonly #folders = new RememberedFolders();
  readonly #options: StoreOptions;
  #tidying: Promise<void> = Promise.resolve();
  /** A tree is mostly asked for several times in a row. */
  #lastWhole: { readonly tree: TreeId; readonly entries: EntryMap } | null = null;

  constructor(gitDir: string, lock: StoreLock, options: StoreOptions) {
    this.gitDir = gitDir;
    this.#options = options;
    this.#lock = lock;
    this.#objects = new ObjectStore(gitDir);
    this.#recorded = new RecordedTrees(gitDir);
    this.#objects.refresh();
  }

  /** When it resolves, everything the tree names is on the disk. */
  async record(folder: string, options: RecordOptions): Promise<RecordedTree> {
    return this.#adding(() =>
      this.#folders.use({ folder, index: options.index }, async (state, path) => {
        const { recorded, state: next } = await this.#record(path, state, options);
        return { result: recorded, state: next };
      }),
    );
  }

  /** Makes the folder equal to the tree. What was there is recorded first, so this can be undone. Stopped halfway, the same again finishes it. */
  async restore(tree: TreeId, folder: string, options: RestoreOptions): Promise<Restored> {
    await this.#bring(tree);
    return this.#adding(async () => {
      makeFolder(folder);
      return this.#folders.use({ folder, index: options.index }, (state, path) =>
        this.#restore(tree, path, { state, options }),
      );
    });
  }

  /** Skips reading a folder just made from a tree when it is first recorded. Only a hint: changed files are still detected. */
  async remember(tree: TreeId, folder: string, written: Written): Promise<void> {
    const generation = readGeneration(this.gitDir);
    const state = writtenState(this.#objects, { tree, whole: this.#whole(tree) }, { ...written, generation });
    await this.#folders.use({ folder, index: written.index }, async () => ({ result: undefined, state }));
  }

  /** Every file, link and thing that was not kept, and the folders that are empty or have their own mode. */
  async entries(tree: TreeId): Promise<EntryMap> {
    await this.#bring(tree);
    return withoutImpliedFolders(this.#whole(tree), openTree(this.#objects, tree).manifest);
  }

  /** In the order of the paths' bytes. */
  async compare(before: TreeId, after: TreeId): Promise<readonly TreeChange[]> {
    await this.#bring(before);
    await this.#bring(after);
    return compareTrees(this.#objects, before, after);
  }

  /** The bytes of a file, or the target of a link. */
  async read(blob: string): Promise<Buffer> {
    return this.#objects.read(blob).body;
  }

  /** The same piece by piece where it is large; null where it is not, and is to be read whole. */
  large(blob: string): AsyncIterable<Buffer> | null {
    return this.#objects.large(blob);
  }

  async sizeOf(blob: string): Promise<number> {
    return this.#objects.sizeOf(blob);
  }

  /** The same at once, for what does not have to be unpacked; valid until the next one is asked for. */
  peek(blob: string): Buffer | null {
    const found = this.#objects.peek(blob);
    return found?.type === 'blob' ? found.body : null;
  }

  /** A tree of blobs that are in the store already. Missing folders on the way get the mode 0755. */
  async write(entries: EntryMap): Promise<TreeId> {
    return this.#adding(async () => {
      const whole = withFolders(entries);
      for (const entry of whole.values()) if ('blob' in entry) this.#demand(entry.blob);
      const batch = this.#objects.batch();
      const eachEntry = (visit: (path: BytePath, folder: BytePath, entry: TreeEntry) => void): void => {
        for (const [path, entry] of whole) visit(path, folderOf(path), entry);
      };
      const trees = buildTrees({ trees: new Map(), dirty: [...whole.keys()].map(folderOf), eachEntry }, batch);
      const manifest = batch.put('blob', encodeManifest(makeManifest(whole)));
      const tree = joinTree({ files: trees.get('') ?? '', manifest }, batch);
      await batch.flush();
      await this.#recorded.note(tree);
      return tree;
    });
  }

  /** Durable as soon as a tree that names it has been written. */
  async addBlob(bytes: Buffer): Promise<string> {
    return this.#adding(() => this.#objects.add('blob', bytes));
  }

  /** Whether the tree is here with all that belongs to it. */
  async has(tree: TreeId): Promise<boolean> {
    await this.#bring(tree).catch(unlessGone);
    this.#objects.refresh();
    const isWhole = (id: string): boolean => this.#objects.has(id) && this.#objects.readTree(id).every(isThere);
    const isThere = ({ mode, id }: TreeItem): boolean => (mode === '40000' ? isWhole(id) : this.#objects.has(id));
    return isWhole(tree) && splitTree(this.#objects.readTree(tree)) !== null;
  }

  /** Lends its objects to work that sends or receives a tree. Nothing is removed meanwhile, and the tree counts as new after it. */
  async lend<T>(tree: TreeId, work: (objects: ObjectStore) => Promise<T>): Promise<T> {
    return this.#adding(async () => {
      const result = await work(this.#objects);
      await this.#recorded.note(tree);
      return result;
    });
  }

  /** Removes what belongs to no kept tree and was recorded long enough ago; never what is younger than an hour. */
  async prune(keep: Iterable<TreeId>, options: PruneOptions): Promise<Pruned> {
    const olderThan = Date.now() - Math.max(options.olderThanMs, MIN_AGE_MS);
    await this.#tidying;
    return withStoreFaults(this.gitDir, () =>
      this.#lock.alone(async () => {
        const wanted = new Set(keep);
        const old = new Set<TreeId>();
        for (const { tree, recordedMs } of await this.#recorded.all()) {
          if (recordedMs <= olderThan && !wanted.has(tree)) old.add(tree);
          else wanted.add(tree);
        }
        changeGeneration(this.gitDir);
        this.#lastWhole = null;
        for (const tree of old) await this.#recorded.forget(tree);
        return sweep(this.#objects, wanted, olderThan);
      }),
    );
  }

  /** Removes a tree that nothing names, with all that no other tree has. For content that must not stay on the disk. */
  async forget(tree: TreeId): Promise<void> {
    await this.#tidying;
    await withStoreFaults(this.gitDir, () =>
      this.#lock.alone(async () => {
        await this.#recorded.forget(tree);
        changeGeneration(this.gitDir);
        this.#lastWhole = null;
        const kept = (await this.#recorded.all()).map((one) => one.tree);
        await sweepTree(this.#objects, tree, kept);
      }),
    );
  }

  async size(): Promise<StoreSize> {
    this.#objects.refresh();
    let [objects, bytes] = [0, 0];
    for (const pack of this.#objects.packs.packs) {
      objects += pack.index.count;
      bytes += pack.bytes + statSync(`${pack.path}.idx`).size;
    }
    for (const loose of this.#objects.loose.all()) {
      objects += 1;
      bytes += loose.bytes;
    }
    return { objects, bytes };
  }

  /** Waits for what is still being written; the store is not used afterwards. */
  async close(): Promise<void> {
    await this.#folders.close();
    await this.#tidying;
    this.#objects.close();
    this.#lock.close();
  }

  async #bring(tree: TreeId): Promise<void> {
    if (this.#options.bring === undefined || this.#objects.has(tree)) return;
    this.#objects.refresh();
    if (!this.#objects.has(tree)) await this.#options.bring(this, tree);
  }

  #whole(tree: TreeId): EntryMap {
    if (this.#lastWhole?.tree === tree) return this.#lastWhole.entries;
    const entries = readWholeTree(this.#objects, tree);
    this.#lastWhole = { tree, entries };
    return entries;
  }

  async #record(folder: string, state: FolderState, options: RecordOptions) {
    const known = stillStored(state, this.#objects, readGeneration(this.gitDir));
    const result = await recordFolder(folder, known, {
      ...options,
      maxFileBytes: options.maxFileBytes ?? this.#options.maxFileBytes ?? LARGEST_FILE_BYTES,
      objects: this.#objects,
    });
    await this.#recorded.note(result.recorded.tree);
    return result;
  }

  async #restore(tree: TreeId, folder: string, { state, options }: RestoreWork) {
    const target = withoutLeftOut(this.#whole(tree), options.leaveOut);
    const now = await this.#record(folder, state, options);
    const current = new Map([...now.state.entries].map(([path, { entry }]) => [path, entry]));
    const special = now.recorded.reports.flatMap(({ path, why }) => (why === 'special-bits' ? [path] : []));
    const { leaveOut, durable = true, signal } = options;
    const plan = { objects: this.#objects, current, target, specialBits: new Set(special), leaveOut, durable, signal };
    const restored = await withStoreFaults(folder, () => restoreFolder(folder, plan));
    // The state from before is kept: the next record detects the changes.
    return { result: { ...restored, before: now.recorded.tree }, state: { ...now.state, isComplete: false } };
  }

  async #adding<T>(work: () => Promise<T>): Promise<T> {
    const result = await withStoreFaults(this.gitDir, () =>
      this.#lock.shared(async () => {
        this.#objects.refresh();
        return work();
      }),
    );
    this.#tidy();
    return result;
  }

  /** In the background: no caller waits for it, and a failure is retried later. */
  #tidy(): void {
    this.#tidying = this.#tidying
      .then(() => this.#lock.shared(() => this.#objects.joinSmallPacks()))
      .catch(() => undefined);
  }

  #demand(blob: string): void {
    if (!this.#objects.has(blob)) throw storeDamaged(`The object ${blob} is not in ${this.gitDir}.`);
  }
}

interface RestoreWork {
  readonly state: FolderState;
  readonly options: RestoreOptions;
}

const MIN_AGE_MS = 60 * 60 * 1000;

/** Every folder on the way to an entry is one, said or not. */
function withFolders(entries: EntryMap): EntryMap {
  const whole = new Map(entries);
  for (const path of entries.keys()) {
    if (path.split('/').some(isNoName)) throw impossible(path, 'is not a path a folder can hold');
    for (let at = folderOf(path); at !== ''; at = folderOf(at)) {
      const there = whole.get(at);
      if (there === undefined) whole.set(at, { kind: 'folder', mode: 0o755 });
      else if (there.kind !== 'folder') throw impossible(at, 'would be a folder and something else');
    }
  }
  return whole;
}

function isNoName(name: string): boolean {
  return name === '' || name === '.' || name === '..' || name.includes('\0') || isGitName(name);
}

function impossible(path: BytePath, why: string): Fault {
  return new Fault('TREE_IMPOSSIBLE', `${shownBytes(path)} ${why}.`);
}

/** Ignores a missing tree; an unreachable store may still have it, so other errors are thrown. */
function unlessGone(error: unknown): void {
  if (!isFault(error) || error.code !== 'TREE_GONE') throw error;
}
