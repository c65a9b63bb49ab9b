import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync, utimesSync } from 'node:fs';
import { mkdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { errorCode } from '../../lib/held-folder.ts';
import { type DeflatedPlace, LARGE_BYTES } from './pieces.ts';
import { objectHeader, type GitObject, type ObjectType } from './git-object.ts';
import { syncFile, writeDurably } from './pack-folder.ts';
import { storeDamaged } from './store-fault.ts';

/** Objects in their own file: single ones, and those that git itself writes. */
export class LooseObjects {
  readonly #path: string;
  /** The folders there are, by the first byte of the ids in them; mostly none, which saves looking for each object. */
  #folders = new Set<string>();

  constructor(path: string) {
    this.#path = path;
  }

  refresh(): void {
    this.#folders = new Set(readdirSync(this.#path).filter((name) => /^[0-9a-f]{2}$/.test(name)));
  }

  has(id: string): boolean {
    return this.#folders.has(id.slice(0, 2)) && existsSync(this.#pathOf(id));
  }

  /** Whether it is here; if so, it counts as new from now on. */
  touch(id: string): boolean {
    if (!this.has(id)) return false;
    const now = new Date();
    utimesSync(this.#pathOf(id), now, now);
    return true;
  }

  read(id: string): GitObject | null {
    const bytes = this.#bytesOf(id);
    if (bytes === null) return null;
    try {
      const content = inflateSync(bytes);
      const end = content.indexOf(0);
      const [type, size] = content.toString('latin1', 0, end).split(' ');
      const body = content.subarray(end + 1);
      if (body.length === Number(size)) return { type: type as ObjectType, body };
    } catch (error) {
      throw storeDamaged(`The object ${id} is damaged.`, error);
    }
    throw storeDamaged(`The object ${id} has another length than was written.`);
  }

  /** Where a content lies that is too large to be held whole; null for any other, and for what is not here. */
  largeAt(id: string): DeflatedPlace | null {
    const found = this.#lookAt(id);
    if (found === null || found.size <= LARGE_BYTES) return null;
    const file = this.#pathOf(id);
    return { id, file, start: 0, end: statSync(file).size, skip: found.skip, size: found.size };
  }

  sizeOf(id: string): number | null {
    return this.#lookAt(id)?.size ?? null;
  }

  async write(id: string, { type, body }: GitObject): Promise<void> {
    const folder = join(this.#path, id.slice(0, 2));
    await mkdir(folder, { recursive: true });
    const temporary = join(folder, `tmp_obj_${randomBytes(9).toString('base64url')}`);
    try {
      await writeDurably(temporary, [
        deflateSync(Buffer.concat([objectHeader(type, body.length), body]), { level: 1 }),
      ]);
      await rename(temporary, this.#pathOf(id));
      await syncFile(folder);
      if (!this.#folders.has(id.slice(0, 2))) await syncFile(this.#path);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
    this.#folders.add(id.slice(0, 2));
  }

  *all(): Generator<LooseFile> {
    for (const folder of this.#folders) {
      for (const name of readdirSync(join(this.#path, folder))) {
        const path = join(this.#path, folder, name);
        const { size, mtimeMs } = statSync(path);
        const isObject = /^[0-9a-f]{38}$/.test(name);
        yield { path, id: isObject ? folder + name : null, bytes: size, modifiedMs: mtimeMs };
      }
    }
  }

  /** Only its beginning is read. */
  #lookAt(id: string): { readonly size: number; readonly skip: number } | null {
    if (!this.has(id)) return null;
    const beginning = Buffer.alloc(HEADER_BYTES);
    const file = openSync(this.#pathOf(id), 'r');
    try {
      const length = readSync(file, beginning, 0, HEADER_BYTES, 0);
      const content = inflateSync(beginning.subarray(0, length), { finishFlush: constants.Z_SYNC_FLUSH });
      const end = content.indexOf(0);
      return { size: Number(content.toString('latin1', 0, end).split(' ')[1]), skip: end + 1 };
    } catch (error) {
      throw storeDamaged(`The object ${id} is damaged.`, error);
    } finally {
      closeSync(file);
    }
  }

  #pathOf(id: string): string {
    return join(this.#path, id.slice(0, 2), id.slice(2));
  }

  #bytesOf(id: string): Buffer | null {
    try {
      return readFileSync(this.#pathOf(id));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }
}

const HEADER_BYTES = 512;

export interface LooseFile {
  readonly path: string;
  /** Null for what a dying process left half written. */
  readonly id: string | null;
  readonly bytes: number;
  readonly modifiedMs: number;
}
