import { Fault } from '../../core/fault.ts';
import type { TreeId } from '../../core/ids.ts';
import { decodeTree, type TreeItem } from '../store/git-object.ts';
import { addPackedBlob, type ArrivingBlob } from '../store/large-objects.ts';
import type { ObjectBatch, ObjectStore } from '../store/object-store.ts';
import { readEntryHeader } from '../store/pack-format.ts';
import { LARGE_BYTES } from '../store/pieces.ts';
import type { TreeStore } from '../store/port.ts';
import { splitTree } from '../store/tree-objects.ts';
import { unpackObject, withFirst } from './packed-body.ts';
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
    return fetching.counted.travelled;
  });
}

type ItemType = 'tree' | 'blob';

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

  /** Resolves to what these name. A folder that is here is gone into all the same: something in it may have been removed. */
  async #fetchLevel(level: ReadonlyMap<string, ItemType>): Promise<Map<string, ItemType>> {
    const next = new Map<string, ItemType>();
    const lacking = new Set<string>();
    for (const [id, type] of level) {
      if (!this.#objects.has(id)) lacking.add(id);
      else if (type === 'tree') this.#expand(id, this.#objects.readTree(id), next);
    }
    for await (const body of this.counted.of(this.#shared.get([...lacking]))) {
      lacking.delete(body.name);
      const tree = await this.#keep(body, level.get(body.name));
      if (tree !== null) this.#expand(body.name, tree, next);
    }
    if (lacking.has(this.#tree)) throw notShared(this.#tree);
    const [lost] = lacking;
    if (lost !== undefined) throw this.#damaged(lost, 'is missing');
    return next;
  }

  #expand(id: string, items: readonly TreeItem[], next: Map<string, ItemType>): void {
    if (id === this.#tree && splitTree(items) === null) throw this.#damaged(id, 'is no recorded tree');
    for (const { id: child, mode } of items) {
      if (this.#seen.has(child)) continue;
      this.#seen.add(child);
      next.set(child, mode === '40000' ? 'tree' : 'blob');
    }
  }

  /** What a folder names; null for a file. */
  async #keep({ name, content }: Body, type: ItemType | undefined): Promise<readonly TreeItem[] | null> {
    const arrived = await sized(Buffer.isBuffer(content) ? inOnePiece(content) : content);
    if ('size' in arrived) {
      const isWhole = type === 'blob' && (await addPackedBlob(this.#objects, { id: name, ...arrived }));
      if (!isWhole) throw this.#damaged(name, 'is damaged');
      return null;
    }
    const object = unpackObject(name, arrived.whole);
    if (object === null || object.type !== type) throw this.#damaged(name, 'is damaged');
    if (type === 'blob') {
      this.#batch.put('blob', object.body);
      if (this.#batch.isLarge) await this.#batch.flush();
      return null;
    }
    this.#trees.push(object.body);
    return decodeTree(object.body);
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
