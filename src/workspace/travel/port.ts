/**
 * Content that several machines share, by its name. A name stands for one content for ever, so nothing is ever replaced.
 *
 * [T1] A body is seen whole or not at all: one whose upload broke off is not there.
 * [T2] Bodies become visible in the order in which they were put. So if the bodies that one names are put before it, they
 *      are visible whenever it is.
 */
export interface SharedStore {
  /** The names among these that it does not have. */
  missing(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** The bodies are durable when it resolves. One that is there already stays as it is. */
  put(bodies: Iterable<Body> | AsyncIterable<Body>): Promise<void>;
  /** Those of them that are there, in any order. A body is read before the next one is asked for. */
  get(names: readonly string[]): AsyncIterable<Body>;
  close(): Promise<void>;
}

export interface Body {
  /** Forty hexadecimal digits. */
  readonly name: string;
  /** Piece by piece where it is large. */
  readonly content: Buffer | AsyncIterable<Buffer>;
}

/** The size of the pieces in which a large body is stored. */
export const PIECE_BYTES = 256 * 1024;

/** Bodies that fit into one piece are stored in groups, of at most so many bodies and bytes. */
const GROUP_BODIES = 200;
const GROUP_BYTES = 8 * 1024 * 1024;

export interface SmallBody {
  readonly name: string;
  readonly content: Buffer;
}

export interface LargeBody {
  readonly name: string;
  readonly content: Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** Hands small bodies over in groups and large ones alone, in the order in which they come. */
export async function inGroups(
  bodies: Iterable<Body> | AsyncIterable<Body>,
  handle: { group(bodies: readonly SmallBody[]): Promise<void>; large(body: LargeBody): Promise<void> },
): Promise<void> {
  let group: SmallBody[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (group.length > 0) await handle.group(group);
    [group, bytes] = [[], 0];
  };
  for await (const { name, content } of bodies) {
    if (Buffer.isBuffer(content) && content.length <= PIECE_BYTES) {
      group.push({ name, content });
      bytes += content.length;
      if (group.length >= GROUP_BODIES || bytes >= GROUP_BYTES) await flush();
      continue;
    }
    await flush();
    await handle.large({ name, content: Buffer.isBuffer(content) ? [content] : content });
  }
  await flush();
}

/** A body that fits into memory. */
export async function wholeOf(content: Body['content']): Promise<Buffer> {
  if (Buffer.isBuffer(content)) return content;
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}
