import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../lib/held-folder.ts';
import type { HeldFolder } from '../../lib/held-folder.ts';
import { walkFolder } from '../../lib/walk-folder.ts';

/**
 * Brings the objects of an agent's repository into a folder that the agent cannot reach, by a second name where the disk is the
 * same and by copying where it is not. What arrived is looked at after it arrived, when nobody can exchange it any more: a
 * link that was planted stays outside. Git only ever reads them, and the second names are gone a moment later.
 */
export async function copyObjects(source: HeldFolder, target: string, signal: AbortSignal): Promise<void> {
  if ((await source.look('objects'))?.isDirectory() !== true)
    throw new Error('The repository is damaged: it has no objects.');
  const objects = await source.child('objects');
  const copier = new Copier(target);
  try {
    for await (const { folder, name, names, kind } of walkFolder(objects, {
      signal,
      skip: (bytes) => isForeign(bytes),
    })) {
      if (kind !== 'file' || names.length !== 2) continue;
      const [group = '', own = ''] = names.map((one) => one.toString('latin1'));
      if (isObject(group, own)) copier.take(folder.at(name), group, own);
    }
  } finally {
    await objects.close();
  }
}

const MAX_OBJECTS = 200_000;
const MAX_COPIED_BYTES = 1024 * 1024 * 1024;

/** Only what holds objects: no list of other repositories, no derived indexes. */
function isObject(group: string, own: string): boolean {
  if (group === 'pack') return /^pack-[0-9a-f]{40,64}\.(?:pack|idx)$/.test(own);
  return /^[0-9a-f]{2}$/.test(group) && /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(own);
}

function isForeign(name: Buffer): boolean {
  return name.toString('latin1') === 'info';
}

class Copier {
  readonly #target: string;
  readonly #groups = new Set<string>();
  #count = 0;
  #bytes = 0;

  constructor(target: string) {
    this.#target = target;
  }

  take(from: Buffer, group: string, own: string): void {
    this.#count += 1;
    if (this.#count > MAX_OBJECTS)
      throw new Error(`The repository has more than ${MAX_OBJECTS} objects; run git gc in it.`);
    const folder = join(this.#target, group);
    if (!this.#groups.has(group)) mkdirSync(folder);
    this.#groups.add(group);
    const to = join(folder, own);
    if (!linked(from, to)) this.#bytes += copied(from, to, MAX_COPIED_BYTES - this.#bytes);
    else if (!lstatSync(to).isFile()) rmSync(to);
  }
}

/** A second name for a link is a link again, never what it points to. */
function linked(from: Buffer, to: string): boolean {
  // Elsewhere the same call follows it.
  if (process.platform !== 'linux') return false;
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error))) return false;
    throw error;
  }
}

/** How many bytes were copied; none from what is no regular file. */
function copied(from: Buffer, to: string, maxBytes: number): number {
  const source = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(source);
    if (stats.size > maxBytes) throw new Error('The repository is too large to be looked at from another disk.');
    if (stats.isFile()) copyBytes(source, to, stats.size);
    return stats.size;
  } finally {
    closeSync(source);
  }
}

function copyBytes(source: number, to: string, size: number): void {
  const target = openSync(to, 'wx');
  try {
    const chunk = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
    for (let at = 0; at < size;) {
      const read = readSync(source, chunk, 0, Math.min(chunk.length, size - at), at);
      if (read === 0) break;
      writeSync(target, chunk, 0, read);
      at += read;
    }
  } finally {
    closeSync(target);
  }
}

const CHUNK_BYTES = 1024 * 1024;
