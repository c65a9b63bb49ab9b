import type { TreeId } from '../../core/ids.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { TreeStore } from '../store/port.ts';
import { pathParts } from '../store/tree-objects.ts';
import { packedBody } from './packed-body.ts';
import type { Body, SharedStore } from './port.ts';

/** How much went from one store to the other. */
export interface Travelled {
  readonly objects: number;
  readonly bytes: number;
}

/**
 * Puts a tree into the shared store, with all that it names and that is not there yet. Interrupted at any moment it can be
 * repeated: files come before the folders that name them, and the tree itself comes last.
 */
export async function publishTree(store: TreeStore, shared: SharedStore, tree: TreeId): Promise<Travelled> {
  return await store.lend(tree, async (objects) => {
    // Refuses what is not kept here.
    pathParts(objects, tree);
    const missing = await missingBelow(objects, shared, tree);
    const counted = new CountedBodies();
    await shared.put(counted.of(bodiesInOrder(objects, tree, missing)));
    return counted.travelled;
  });
}

/** By [T2] nothing below an object that is there has to be asked for. One question for each depth of folders. */
async function missingBelow(objects: ObjectStore, shared: SharedStore, tree: TreeId): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  const asked = new Set<string>([tree]);
  let level = new Map([[tree as string, true]]);
  while (level.size > 0) {
    const lacking = await shared.missing([...level.keys()]);
    const next = new Map<string, boolean>();
    for (const id of lacking) {
      missing.add(id);
      for (const { id: child, mode } of level.get(id) === true ? objects.readTree(id) : []) {
        if (asked.has(child)) continue;
        asked.add(child);
        next.set(child, mode === '40000');
      }
    }
    level = next;
  }
  return missing;
}

function* bodiesInOrder(objects: ObjectStore, tree: TreeId, missing: ReadonlySet<string>): Generator<Body> {
  const trees = new Set<string>();
  const sent = new Set<string>();
  const stack: { readonly id: string; readonly isEntered: boolean }[] = [{ id: tree, isEntered: false }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { id, isEntered } = next;
    if (isEntered) {
      trees.delete(id);
      // A set keeps the order in which they were left: what a folder names before the folder.
      trees.add(id);
      continue;
    }
    if (!missing.has(id) || trees.has(id)) continue;
    trees.add(id);
    stack.push({ id, isEntered: true });
    for (const item of objects.readTree(id)) {
      if (item.mode === '40000') stack.push({ id: item.id, isEntered: false });
      else if (missing.has(item.id) && !sent.has(item.id)) {
        sent.add(item.id);
        yield packedBody(objects, item.id);
      }
    }
  }
  for (const id of trees) yield packedBody(objects, id);
}

/** Counts what passes by. */
export class CountedBodies {
  #objects = 0;
  #bytes = 0;

  get travelled(): Travelled {
    return { objects: this.#objects, bytes: this.#bytes };
  }

  async *of(bodies: Iterable<Body> | AsyncIterable<Body>): AsyncGenerator<Body> {
    for await (const { name, content } of bodies) {
      this.#objects += 1;
      if (Buffer.isBuffer(content)) this.#bytes += content.length;
      yield { name, content: Buffer.isBuffer(content) ? content : this.#counted(content) };
    }
  }

  async *#counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.#bytes += piece.length;
      yield piece;
    }
  }
}
