import { deflateSync, inflateSync } from 'node:zlib';
import { type GitObject, objectId } from '../store/git-object.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { entryHeader, readAnyHeader } from '../store/entry-header.ts';
import { applyDelta, encodeDelta } from './git-delta.ts';
import { unpackObject } from './unpacked-object.ts';
import { type Body, wholeOf } from './port.ts';

/** Larger ones travel whole: looking for what is equal takes memory, and too long. */
const MOST_BYTES = 4 * 1024 * 1024;
const ID_BYTES = 20;

/** An object as a difference to another one, as in one of git's packs; null where it would save too little. */
export function packDifference(objects: ObjectStore, id: string, base: string): Buffer | null {
  if (objects.sizeOf(id) > MOST_BYTES || objects.sizeOf(base) > MOST_BYTES) return null;
  const [target, before] = [objects.read(id), objects.read(base)];
  if (target.type !== before.type) return null;
  const delta = encodeDelta(before.body, target.body);
  if (delta.length > target.body.length / 2 - ID_BYTES) return null;
  return Buffer.concat([entryHeader('difference', delta.length), Buffer.from(base, 'hex'), deflateSync(delta)]);
}

interface Difference {
  readonly base: string;
  readonly delta: Buffer;
}

/** Where whole objects come from. */
export interface DifferenceSources {
  /** Null for what is not here. */
  readonly local: (id: string) => GitObject | null;
  readonly get: (names: readonly string[]) => AsyncIterable<Body>;
}

/** Objects that arrived as differences, until what they are differences to is here too. */
export class ArrivedDifferences {
  readonly #sources: DifferenceSources;
  readonly #wanted = new Set<string>();
  readonly #differences = new Map<string, Difference>();
  readonly #whole = new Map<string, GitObject>();

  constructor(sources: DifferenceSources) {
    this.#sources = sources;
  }

  /** False for what is whole. */
  add(name: string, packed: Buffer): boolean {
    if (!this.#addLink(name, packed)) return false;
    this.#wanted.add(name);
    return true;
  }

  /** The added objects, resolved; null for a damaged one. Each with the base of its difference. */
  async *resolved(): AsyncGenerator<{
    readonly name: string;
    readonly base: string;
    readonly object: GitObject | null;
  }> {
    await this.#fetchBases();
    for (const name of this.#wanted) {
      const { base = '' } = this.#differences.get(name) ?? {};
      yield { name, base, object: this.#resolve(name) };
    }
  }

  #addLink(name: string, packed: Buffer): boolean {
    const difference = readDifference(packed);
    if (difference !== null) this.#differences.set(name, difference);
    return difference !== null;
  }

  /** A base may be a difference in turn. Each is asked for once, so a circle ends too. */
  async #fetchBases(): Promise<void> {
    const asked = new Set<string>();
    const lacking = (): readonly string[] =>
      [...new Set([...this.#differences.values()].map(({ base }) => base))].filter(
        (base) => !asked.has(base) && !this.#differences.has(base) && this.#sources.local(base) === null,
      );
    for (let names = lacking(); names.length > 0; names = lacking()) {
      for (const name of names) asked.add(name);
      for await (const { name, content } of this.#sources.get(names)) {
        const packed = await wholeOf(content);
        const object = this.#addLink(name, packed) ? null : unpackObject(name, packed);
        if (object !== null) this.#whole.set(name, object);
      }
    }
  }

  #resolve(name: string): GitObject | null {
    const chain: { readonly name: string; readonly delta: Buffer }[] = [];
    let at = name;
    let object: GitObject | null = null;
    while (object === null) {
      const link = this.#differences.get(at);
      // As long as there are differences, or it goes in a circle.
      if (link === undefined || chain.length > this.#differences.size) return null;
      chain.push({ name: at, delta: link.delta });
      at = link.base;
      object = this.#whole.get(at) ?? this.#sources.local(at);
    }
    for (const link of chain.reverse()) {
      const body: Buffer | null = applyDelta(object.body, link.delta);
      if (body === null || objectId(object.type, body) !== link.name) return null;
      object = { type: object.type, body };
    }
    return object;
  }
}

/** Null for what is whole, and for what cannot be read. */
function readDifference(packed: Buffer): Difference | null {
  const header = packed.length === 0 ? null : readAnyHeader(packed);
  if (header?.type !== 'difference') return null;
  const start = header.length + ID_BYTES;
  try {
    const delta = inflateSync(packed.subarray(start), { maxOutputLength: Math.max(header.size, 1) });
    return { base: packed.toString('hex', header.length, start), delta };
  } catch {
    return null;
  }
}
