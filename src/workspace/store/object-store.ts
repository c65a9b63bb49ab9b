import { openSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../lib/held-folder.ts';
import { type DeflatedPlace, inflatedPieces, type OpenPlace } from './pieces.ts';
import { decodeTree, type GitObject, objectId, type ObjectType, type TreeItem } from './git-object.ts';
import { LooseObjects } from './loose-objects.ts';
import { PackDraft } from './pack-format.ts';
import { type Pack, PackFolder, writePack } from './pack-folder.ts';
import { storeDamaged, withStoreFaults } from './store-fault.ts';

/** Content by its hash. What is written is never changed, so any number of processes may add at once. */
export class ObjectStore {
  readonly packs: PackFolder;
  readonly loose: LooseObjects;
  readonly #path: string;
  readonly #trees = new Map<string, readonly TreeItem[]>();

  constructor(gitDir: string) {
    this.#path = join(gitDir, 'objects');
    this.packs = new PackFolder(join(this.#path, 'pack'));
    this.loose = new LooseObjects(this.#path);
  }

  /** Sees what other processes did. */
  refresh(): void {
    this.packs.refresh();
    this.loose.refresh();
  }

  has(id: string): boolean {
    return this.packs.has(id) || this.loose.has(id);
  }

  read(id: string): GitObject {
    const found = this.packs.read(id) ?? this.loose.read(id) ?? this.#readAgain(id);
    if (found === null) throw storeDamaged(`The object ${id} is not in ${this.#path}.`);
    return found;
  }

  /** Null for what fits into memory, which is to be read whole. */
  large(id: string): AsyncIterable<Buffer> | null {
    return this.#largeAt(id) === null ? null : inflatedPieces(() => this.#openLarge(id));
  }

  sizeOf(id: string): number {
    const size = this.packs.sizeOf(id) ?? this.loose.sizeOf(id);
    return size ?? this.read(id).body.length;
  }

  /** An object that is available without unpacking; valid until the next call. */
  peek(id: string): GitObject | null {
    return this.packs.peek(id);
  }

  readTree(id: string): readonly TreeItem[] {
    const known = this.#trees.get(id);
    if (known !== undefined) return known;
    const { type, body } = this.read(id);
    if (type !== 'tree') throw storeDamaged(`The object ${id} is not a tree.`);
    const items = decodeTree(body);
    if (this.#trees.size >= MAX_TREES) this.#trees.clear();
    this.#trees.set(id, items);
    return items;
  }

  /** Forgets cached trees, so that only objects on disk are found. */
  forgetTrees(): void {
    this.#trees.clear();
  }

  async add(type: ObjectType, body: Buffer): Promise<string> {
    const id = objectId(type, body);
    // It may not be referenced yet, so pruning must not take it for old.
    const isHere = this.packs.touch(id) || this.loose.touch(id);
    if (!isHere) await withStoreFaults(this.#path, () => this.loose.write(id, { type, body }));
    return id;
  }

  batch(): ObjectBatch {
    return new ObjectBatch(this);
  }

  /** Many small packs slow every search down; one takes their place once it is on the disk. */
  async joinSmallPacks(): Promise<void> {
    const small = this.packs.packs.filter(({ bytes }) => bytes < SMALL_PACK_BYTES);
    if (small.length <= MAX_SMALL_PACKS) return;
    const draft = new PackDraft();
    for (const pack of small) {
      for (const { id, offset } of pack.index.ids()) draft.addPacked(id, pack.readAt(offset));
    }
    const finished = draft.finish();
    await writePack(this.packs.path, finished);
    await removePacks(small.filter(({ path }) => !path.endsWith(finished.checksum)));
    this.packs.refresh();
  }

  close(): void {
    this.packs.close();
  }

  #largeAt(id: string): DeflatedPlace | null {
    return this.packs.largeAt(id) ?? this.loose.largeAt(id);
  }

  #openLarge(id: string): OpenPlace {
    for (let tries = 1; ; tries += 1) {
      const place = this.#largeAt(id);
      try {
        if (place !== null) return { place, fd: openSync(place.file, 'r') };
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
      }
      if (tries === 2) throw storeDamaged(`The object ${id} is not in ${this.#path}.`);
      this.refresh();
    }
  }

  /** Another process may have moved it from one pack to another meanwhile. */
  #readAgain(id: string): GitObject | null {
    this.refresh();
    return this.packs.read(id) ?? this.loose.read(id);
  }
}

const MAX_TREES = 20_000;
const MAX_SMALL_PACKS = 32;
const SMALL_PACK_BYTES = 2 * 1024 * 1024;

/** The index first: without it the pack is not looked at. */
export async function removePacks(packs: readonly Pack[]): Promise<void> {
  for (const { path } of packs) {
    await unlink(`${path}.idx`).catch(() => undefined);
    await unlink(`${path}.pack`).catch(() => undefined);
  }
}

/** Objects added by one piece of work. They count only once `flush` has resolved. */
export class ObjectBatch {
  readonly #store: ObjectStore;
  #draft = new PackDraft();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** The body is not needed any more when this returns. */
  put(type: ObjectType, body: Buffer): string {
    const id = objectId(type, body);
    if (!this.#draft.has(id) && !this.#store.has(id)) this.#draft.add(id, type, body);
    return id;
  }

  /** Time to flush: memory stays bounded however much there is to write. */
  get isLarge(): boolean {
    return this.#draft.bytes > MAX_DRAFT_BYTES;
  }

  async flush(): Promise<void> {
    if (this.#draft.size === 0) return;
    const draft = this.#draft;
    this.#draft = new PackDraft();
    const folder = this.#store.packs.path;
    await withStoreFaults(folder, () => writePack(folder, draft.finish()));
    this.#store.packs.refresh();
  }
}

const MAX_DRAFT_BYTES = 32 * 1024 * 1024;
