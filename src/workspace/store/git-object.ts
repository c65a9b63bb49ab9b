import { createHash, hash } from 'node:crypto';

/** Git's own formats for what is stored, so that git can read every byte of it. */
export interface GitObject {
  readonly type: ObjectType;
  readonly body: Buffer;
}

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export function objectId(type: ObjectType, body: Buffer): string {
  const header = `${type} ${body.length}\0`;
  // Joining is faster than two calls as long as little has to be moved.
  if (body.length > MAX_JOINED_BYTES) return createHash('sha1').update(header, 'latin1').update(body).digest('hex');
  joined.write(header, 'latin1');
  joined.set(body, header.length);
  return hash('sha1', joined.subarray(0, header.length + body.length));
}

const MAX_JOINED_BYTES = 65_536;
/** Used again for each object, and never handed out. */
const joined = Buffer.allocUnsafeSlow(MAX_JOINED_BYTES + 32);

export function objectHeader(type: ObjectType, size: number): Buffer {
  return Buffer.from(`${type} ${size}\0`, 'latin1');
}

/** A line of a tree. The name is a string of bytes. */
export interface TreeItem {
  readonly mode: ItemMode;
  readonly name: string;
  readonly id: string;
}

export type ItemMode = '100644' | '100755' | '120000' | '40000';

export function encodeTree(items: readonly TreeItem[]): Buffer {
  const sorted = items
    .map((item) => ({ item, key: item.mode === '40000' ? `${item.name}/` : item.name }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const parts = sorted.map(({ item }) => `${item.mode} ${item.name}\0${idBytes(item.id)}`);
  return Buffer.from(parts.join(''), 'latin1');
}

function idBytes(id: string): string {
  return Buffer.from(id, 'hex').toString('latin1');
}

const ID_BYTES = 20;

export function decodeTree(body: Buffer): readonly TreeItem[] {
  const items: TreeItem[] = [];
  let at = 0;
  while (at < body.length) {
    const space = body.indexOf(0x20, at);
    const end = body.indexOf(0, space);
    const id = body.toString('hex', end + 1, end + 1 + ID_BYTES);
    if (space === -1 || end === -1 || id.length !== 2 * ID_BYTES) throw new Error('a tree is cut short');
    items.push({
      mode: body.toString('latin1', at, space) as ItemMode,
      name: body.toString('latin1', space + 1, end),
      id,
    });
    at = end + 1 + ID_BYTES;
  }
  return items;
}

/**
 * Names that git takes for its own folder on some system, and therefore refuses in a tree: `.git` in any case, with
 * characters that some file systems ignore, with dots or spaces behind, with a stream's name, and its short form.
 */
export function isGitName(name: string): boolean {
  const first = name.codePointAt(0) ?? 0;
  const mayBe = first === DOT || first === LOWER_G || first === UPPER_G || first > LAST_ASCII;
  if (!mayBe) return false;
  const text = Buffer.from(name, 'latin1').toString('utf8');
  const plain = text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return /^(?:\.git|git~1)[. ]*(?::.*)?$/is.test(plain);
}

const DOT = 0x2e;
const UPPER_G = 0x47;
const LOWER_G = 0x67;
const LAST_ASCII = 0x7f;
