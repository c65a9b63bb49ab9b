import { Fault } from '../../core/model/fault.ts';
import { Readable } from 'node:stream';
import { createDeflate, deflateSync } from 'node:zlib';
import { type GitObject, objectId } from '../store/git-object.ts';
import { isWorthDeflating } from '../store/large-objects.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { entryHeader } from '../store/entry-header.ts';
import { ArrivedDifferences } from './packed-difference.ts';
import { unpackObject } from './unpacked-object.ts';
import { type Body, PIECE_BYTES, type SharedStore, wholeOf } from './port.ts';

/**
 * The form in which an object travels: as stored in one of git's packs, with its type and size first and deflated. The name
 * is the object's id, so the receiver can verify the content.
 */
export function packedBody(objects: ObjectStore, id: string): Body {
  const large = objects.large(id);
  if (large !== null) return { name: id, content: packedPieces(objects.sizeOf(id), large) };
  const { type, body } = objects.read(id);
  return { name: id, content: packObject({ type, body }) };
}

export function packObject({ type, body }: GitObject): Buffer {
  return Buffer.concat([entryHeader(type, body.length), deflateSync(body)]);
}

async function* packedPieces(size: number, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield entryHeader('blob', size);
  const { first, all } = await withFirst(pieces);
  const deflate = createDeflate({ level: isWorthDeflating(first) ? DEFAULT_LEVEL : 0, chunkSize: PIECE_BYTES });
  const source = Readable.from(all);
  source.once('error', (error) => deflate.destroy(error));
  yield* source.pipe(deflate) as AsyncIterable<Buffer>;
}

const DEFAULT_LEVEL = 6;

/** Looks at the first piece before all are read; empty where there is none. */
export async function withFirst(pieces: AsyncIterable<Buffer>): Promise<BegunPieces> {
  const source = pieces[Symbol.asyncIterator]();
  const begun = await source.next();
  const first = begun.done === true ? Buffer.alloc(0) : begun.value;
  async function* all(): AsyncGenerator<Buffer> {
    yield first;
    yield* { [Symbol.asyncIterator]: () => source };
  }
  return { first, all: all() };
}

interface BegunPieces {
  readonly first: Buffer;
  readonly all: AsyncIterable<Buffer>;
}

/** Stores bytes under the id that git gives them. */
export async function putBlob(shared: SharedStore, body: Buffer): Promise<string> {
  const name = objectId('blob', body);
  if ((await shared.missing([name])).size > 0)
    await shared.put([{ name, content: packObject({ type: 'blob', body }) }]);
  return name;
}

/** The bytes again, compared with their name. */
export async function getBlob(shared: SharedStore, name: string): Promise<Buffer> {
  const differences = new ArrivedDifferences({ local: () => null, get: (names) => shared.get(names) });
  for await (const { content } of shared.get([name])) {
    const packed = await wholeOf(content);
    const object = differences.add(name, packed) ? null : unpackObject(name, packed);
    if (object !== null) return object.body;
  }
  for await (const { object } of differences.resolved()) if (object !== null) return object.body;
  throw bodyDamaged(name);
}

export const bodyDamaged = (name: string): Fault =>
  new Fault('STORE_DAMAGED', `The body ${name} is missing or damaged in the shared store.`, {
    hint: 'Check that all workers use the same `store`; if they do, restore it from a backup.',
    facts: { name },
  });
