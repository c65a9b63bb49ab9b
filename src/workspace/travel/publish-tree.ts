import type { TreeId } from '../../core/model/ids.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { TreeStore } from '../store/port.ts';
import { pathParts } from '../store/tree-objects.ts';
import { passedThrough } from './passed-trees.ts';
import type { Body, SharedStore } from './port.ts';

/** How much went from one store to the other. */
export interface Travelled {
  readonly objects: number;
  readonly bytes: number;
}

/**
 * Puts a tree into the shared store, with all that it names and that is not there yet. Interrupted at any moment it can be
 * repeated: files come before the folders that name them, and the tree itself comes last. What changed since a similar tree that
 * passed lately is sent as a difference to what stood at the same path, where the shared store has that.
 */
export async function publishTree(store: TreeStore, shared: SharedStore, tree: TreeId): Promise<Travelled> {
  return await store.lend(tree, async (objects) => {
    // Refuses what is not kept here.
    pathParts(objects, tree);
    const passed = passedThrough(shared);
    const missing = await missingBelow(objects, shared, { tree, base: passed.similarTo(tree, objects) });
    const counted = new CountedBodies();
    const bodyOf = (id: string): Body => passed.body(objects, id, missing.get(id));
    await shared.put(counted.of(bodiesInOrder(objects, { tree, missing, bodyOf })));
    passed.note(tree);
    return counted.travelled;
  });
}

/** Missing objects, each with the object at the same place in the base. */
type Missing = ReadonlyMap<string, string | undefined>;

interface Asked {
  readonly isFolder: boolean;
  readonly base: string | undefined;
}

/** By [T2] nothing below an object that is there has to be asked for. One question for each depth of folders. */
async function missingBelow(
  objects: ObjectStore,
  shared: SharedStore,
  { tree, base }: { readonly tree: TreeId; readonly base: TreeId | undefined },
): Promise<Missing> {
  const missing = new Map<string, string | undefined>();
  const asked = new Set<string>([tree]);
  let level = new Map<string, Asked>([[tree, { isFolder: true, base }]]);
  while (level.size > 0) {
    const bases = [...level.values()].flatMap(({ base: id }) => id ?? []);
    const lacking = await shared.missing([...new Set([...level.keys(), ...bases])]);
    const next = new Map<string, Asked>();
    for (const [id, { isFolder, base: before }] of level) {
      if (!lacking.has(id)) continue;
      missing.set(id, before === undefined || lacking.has(before) ? undefined : before);
      for (const [child, found] of isFolder ? namedIn(objects, id, before) : []) {
        if (asked.has(child)) continue;
        asked.add(child);
        next.set(child, found);
      }
    }
    level = next;
  }
  return missing;
}

/** The entries of a folder, each with its counterpart in the base. */
function* namedIn(objects: ObjectStore, folder: string, base: string | undefined): Generator<[string, Asked]> {
  const before = new Map(
    base === undefined || !objects.has(base) ? [] : objects.readTree(base).map((item) => [item.name, item]),
  );
  for (const { id, mode, name } of objects.readTree(folder)) {
    const same = before.get(name);
    const isFolder = mode === '40000';
    yield [id, { isFolder, base: same !== undefined && (same.mode === '40000') === isFolder ? same.id : undefined }];
  }
}

interface Order {
  readonly tree: TreeId;
  readonly missing: Missing;
  readonly bodyOf: (id: string) => Body;
}

function* bodiesInOrder(objects: ObjectStore, { tree, missing, bodyOf }: Order): Generator<Body> {
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
        yield bodyOf(item.id);
      }
    }
  }
  for (const id of trees) yield bodyOf(id);
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
