import { Fault } from '../../core/model/fault.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { decodeTree, type GitObject, type TreeItem } from '../store/git-object.ts';
import { addPackedBlob, type ArrivingBlob } from '../store/large-objects.ts';
import type { ObjectBatch, ObjectStore } from '../store/object-store.ts';
import { readEntryHeader } from '../store/entry-header.ts';
import { LARGE_BYTES } from '../store/pieces.ts';
import type { TreeStore } from '../store/port.ts';
import { splitTree } from '../store/tree-objects.ts';
import { unpackObject } from './unpacked-object.ts';
import { withFirst } from './packed-body.ts';
import { ArrivedDifferences } from './packed-difference.ts';
import { passedThrough } from './passed-trees.ts';
import { type Body, type SharedStore, wholeOf } from './port.ts';
import { CountedBodies, type Travelled } from './publish-tree.ts';

/**
 * Brings a tree from the shared store, as far as it is not here yet. Every object is compared with its name before it is
 * kept. Interrupted at any moment it can be repeated: the folders are written last, all at once.
 */
export async function fetchTree(store: TreeStore, shared: SharedStore, tree: TreeId): Promise<Travelled> {
  return await store.lend(tree, async (objects) => {
    const fetching = new Fetching(objects, shared, tree);
    await fetching.run();
    passedThrough(shared).note(tree);
    return fetching.counted.travelled;
  });
}

type ItemType = 'tree' | 'blob';

/** Null for what is damaged. */
interface Found {
  readonly name: string;
  readonly object: GitObject | null;
}

class Fetching {
  readonly counted = new CountedBodies();
  readonly #objects: ObjectStore;
  readonly #shared: SharedStore;
  readonly #tree: TreeId;
  readonly #batch: ObjectBatch;
  readonly #trees: Buffer[] = [];
  readonly #seen = new Set<string>();

  constructor(objects: ObjectStore, shared: SharedStore, tree: TreeId) {
    this.#objects = objects;
    this.#shared = shared;
    this.#tree = tree;
    this.#batch = objects.batch();
  }

  async run(): Promise<void> {
    let level = new Map<string, ItemType>([[this.#tree, 'tree']]);
    while (level.size > 0) level = await this.#fetchLevel(level);
    await this.#batch.flush();
    for (const body of this.#trees) this.#batch.put('tree', body);
    await this.#batch.flush();
  }

  /** Resolves to what these name. A folder that is here is checked too: something in it may have been removed. */
  async #fetchLevel(level: ReadonlyMap<string, ItemType>): Promise<Map<string, ItemType>> {
    const next = new Map<string, ItemType>();
    const lacking = new Set<string>();
    for (const [id, type] of level) {
      if (!this.#objects.has(id)) lacking.add(id);
      else if (type === 'tree') this.#expand(id, this.#objects.readTree(id), next);
    }
    for await (const found of this.#arrive(lacking, level)) await this.#keep(found, level, next);
    if (lacking.has(this.#tree)) throw notShared(this.#tree);
    const [lost] = lacking;
    if (lost !== undefined) throw this.#damaged(lost, 'is missing');
    return next;
  }

  /** Yields received objects; large files are stored at once. Received ids are removed from `lacking`. */
  async *#arrive(lacking: Set<string>, level: ReadonlyMap<string, ItemType>): AsyncGenerator<Found> {
    const differences = new ArrivedDifferences({ local: (id) => this.#local(id), get: (names) => this.#get(names) });
    for await (const { name, content } of this.#get([...lacking])) {
      lacking.delete(name);
      const arrived = await sized(Buffer.isBuffer(content) ? inOnePiece(content) : content);
      if ('size' in arrived) await this.#keepLarge({ id: name, ...arrived }, level.get(name));
      else if (!differences.add(name, arrived.whole)) yield { name, object: unpackObject(name, arrived.whole) };
    }
    for await (const { base, ...found } of differences.resolved()) {
      passedThrough(this.#shared).noteDifference(found.name, base);
      yield found;
    }
  }

  #expand(id: string, items: readonly TreeItem[], next: Map<string, ItemType>): void {
    if (id === this.#tree && splitTree(items) === null) throw this.#damaged(id, 'is no recorded tree');
    for (const { id: child, mode } of items) {
      if (this.#seen.has(child)) continue;
      this.#seen.add(child);
      next.set(child, mode === '40000' ? 'tree' : 'blob');
    }
  }

  #get(names: readonly string[]): AsyncIterable<Body> {
    return this.counted.of(this.#shared.get(names));
  }

  #local(id: string): GitObject | null {
    return this.#objects.has(id) ? this.#objects.read(id) : null;
  }

  async #keepLarge(blob: ArrivingBlob, type: ItemType | undefined): Promise<void> {
    const isWhole = type === 'blob' && (await addPackedBlob(this.#objects, blob));
    if (!isWhole) throw this.#damaged(blob.id, 'is damaged');
  }

  /** Stores an object; the objects that it names are fetched next. */
  async #keep(
    { name, object }: Found,
    level: ReadonlyMap<string, ItemType>,
    next: Map<string, ItemType>,
  ): Promise<void> {
    if (object === null || object.type !== level.get(name)) throw this.#damaged(name, 'is damaged');
    if (object.type === 'tree') {
      this.#trees.push(object.body);
      this.#expand(name, decodeTree(object.body), next);
      return;
    }
    this.#batch.put('blob', object.body);
    if (this.#batch.isLarge) await this.#batch.flush();
  }

  #damaged(id: string, what: string): Fault {
    return new Fault('STORE_DAMAGED', `The object ${id} of the tree ${this.#tree} ${what} in the shared store.`, {
      hint: 'Restore the shared store from a backup, or empty it: workers send what it lacks with the next files they record.',
      facts: { object: id, tree: this.#tree },
    });
  }
}

/** Whole where it fits into memory once it is inflated; otherwise its size, and the pieces. */
async function sized(
  content: AsyncIterable<Buffer>,
): Promise<{ whole: Buffer } | Pick<ArrivingBlob, 'size' | 'packed'>> {
  const { first, all } = await withFirst(content);
  const header = first.length === 0 ? null : readEntryHeader(first);
  if (header?.type === 'blob' && header.size > LARGE_BYTES) return { size: header.size, packed: all };
  return { whole: await wholeOf(all) };
}

async function* inOnePiece(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

function notShared(tree: TreeId): Fault {
  return new Fault('TREE_GONE', `The files recorded as ${tree} are not in the shared store.`, {
    hint: 'Check that all workers use the same `store`; the worker that recorded the files has to reach it.',
    facts: { tree },
  });
}
