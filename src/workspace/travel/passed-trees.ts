import type { TreeId } from '../../core/model/ids.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { splitTree } from '../store/tree-objects.ts';
import { packDifference } from './packed-difference.ts';
import { packedBody } from './packed-body.ts';
import type { Body, SharedStore } from './port.ts';

/** Hints on a shared store's content: right ones save bytes, wrong ones cost some. */
export function passedThrough(shared: SharedStore): PassedTrees {
  const known = passed.get(shared) ?? new PassedTrees();
  passed.set(shared, known);
  return known;
}

const passed = new WeakMap<SharedStore, PassedTrees>();

const MOST_TREES = 16;
/** As git has it: to read the last of a chain takes all of them. */
const LONGEST_CHAIN = 50;
const MOST_LENGTHS = 50_000;

class PassedTrees {
  #trees: readonly TreeId[] = [];
  /** Of those that are differences: how many objects their content goes through. */
  readonly #lengths = new Map<string, number>();

  /** A tree that was sent or brought lately. */
  note(tree: TreeId): void {
    this.#trees = [tree, ...this.#trees.filter((other) => other !== tree)].slice(0, MOST_TREES);
  }

  noteDifference(id: string, base: string): void {
    if (this.#lengths.size >= MOST_LENGTHS) this.#lengths.clear();
    this.#lengths.set(id, (this.#lengths.get(base) ?? 0) + 1);
  }

  /** The one that has the most in common with it, the newest of equal ones. */
  similarTo(tree: TreeId, objects: ObjectStore): TreeId | undefined {
    const wanted = new Set(rootItems(objects, tree));
    let best: { readonly tree: TreeId; readonly common: number } | undefined;
    for (const other of this.#trees) {
      const common = rootItems(objects, other).filter((item) => wanted.has(item)).length;
      if (other !== tree && common > (best?.common ?? 0)) best = { tree: other, common };
    }
    return best?.tree;
  }

  /** The object as it is sent: as a difference to the base where that is much smaller. */
  body(objects: ObjectStore, id: string, base: string | undefined): Body {
    const isShort = base !== undefined && objects.has(base) && (this.#lengths.get(base) ?? 0) < LONGEST_CHAIN;
    const content = isShort ? packDifference(objects, id, base) : null;
    if (content === null || base === undefined) return packedBody(objects, id);
    this.noteDifference(id, base);
    return { name: id, content };
  }
}

/** Names and contents: two trees of one project have most names in common. */
function rootItems(objects: ObjectStore, tree: TreeId): readonly string[] {
  const parts = objects.has(tree) ? splitTree(objects.readTree(tree)) : null;
  if (parts === null || !objects.has(parts.files)) return [];
  return objects.readTree(parts.files).flatMap(({ name, id }) => [name, id]);
}
