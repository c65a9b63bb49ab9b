import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { errorCode } from '../../lib/held-folder.ts';
import { PackFolder, syncFile, writeDurably, writePack } from '../store/pack-folder.ts';
import { PackDraft } from '../store/pack-format.ts';
import { withStoreFaults } from '../store/store-fault.ts';
import { type Body, inGroups, type LargeBody, PIECE_BYTES, type SharedStore, type SmallBody } from './port.ts';
import { checkIdentity, type IdentityKeeper } from './store-identity.ts';
import { unlessMissing } from '../../lib/or-else.ts';

/**
 * A folder that all machines mount. It relies on nothing but an atomic rename: no locks, which shared file systems promise
 * and break. A few bodies are separate files, many at once become one pack, so that a large project is not thousands of
 * files to sync. Nothing is ever removed, so a reader needs no protection from a writer.
 */
export async function openFolderStore(folder: string, options: FolderStoreOptions = {}): Promise<SharedStore> {
  if (!existsSync(folder)) {
    throw new Fault('STORE_UNREACHABLE', `The shared folder ${folder} is not there.`, {
      hint: 'Mount it, or create it once on the file system that all workers share.',
      facts: { folder },
    });
  }
  return await withStoreFaults(folder, async () => {
    const modes = modesIn((await stat(folder)).mode);
    await Promise.all([PACKS, BODIES].map((name) => makeShared(join(folder, name), modes.folder)));
    await checkIdentity(folder, options.identity);
    return new FolderStore(folder, modes);
  });
}

export interface FolderStoreOptions {
  /** Detects a folder that is not shared after all; without one that goes unnoticed. */
  readonly identity?: IdentityKeeper;
}

const PACKS = 'packs';
const BODIES = 'bodies';
/** From so many bodies on, one pack is faster than a file for each. */
const PACKED_TOGETHER = 16;

interface SharedModes {
  readonly file: number;
  readonly folder: number;
}

/** Those who may write in the shared folder use it: they may read what is in it, whatever the umask is, and no one else may. */
function modesIn(mode: number): SharedModes {
  const users = 0o200 | (mode & 0o022);
  return { file: users << 1, folder: (mode & 0o3000) | users | (users << 1) | (users >> 1) };
}

/** False where it was there already. */
async function makeShared(folder: string, mode: number): Promise<boolean> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  await chmod(folder, mode);
  return true;
}

class FolderStore implements SharedStore {
  readonly #folder: string;
  readonly #packs: PackFolder;
  readonly #modes: SharedModes;

  constructor(folder: string, modes: SharedModes) {
    this.#folder = folder;
    this.#modes = modes;
    this.#packs = new PackFolder(join(folder, PACKS));
  }

  async missing(names: readonly string[]): Promise<ReadonlySet<string>> {
    this.#packs.refresh();
    const missing = new Set<string>();
    const look = async (name: string): Promise<void> => {
      if (!this.#packs.has(name) && (await this.#sizeOf(name)) === null) missing.add(name);
    };
    await withStoreFaults(this.#folder, async () => {
      for (let at = 0; at < names.length; at += AT_ONCE) await Promise.all(names.slice(at, at + AT_ONCE).map(look));
    });
    return missing;
  }

  async put(bodies: Iterable<Body> | AsyncIterable<Body>): Promise<void> {
    await withStoreFaults(this.#folder, () =>
      inGroups(bodies, { group: (group) => this.#putGroup(group), large: (body) => this.#putLarge(body) }),
    );
  }

  async *get(names: readonly string[]): AsyncGenerator<Body> {
    this.#packs.refresh();
    for (const name of names) {
      const packed = this.#packs.packed(name);
      const content = packed ?? (await this.#contentOf(name));
      if (content !== null) yield { name, content };
    }
  }

  async close(): Promise<void> {
    this.#packs.close();
  }

  async #putGroup(group: readonly SmallBody[]): Promise<void> {
    const missing = await this.missing(group.map(({ name }) => name));
    const wanted = group.filter(({ name }) => missing.has(name));
    if (wanted.length < PACKED_TOGETHER) {
      for (const { name, content } of wanted) {
        await this.#place(name, [content]);
      }
      return;
    }
    const draft = new PackDraft();
    for (const { name, content } of wanted) draft.addPacked(name, content);
    await writePack(this.#packs.path, draft.finish(), this.#modes.file);
  }

  async #putLarge({ name, content }: LargeBody): Promise<void> {
    if ((await this.#sizeOf(name)) !== null) return;
    await this.#place(name, content);
  }

  /** Under another name until it is whole and on the disk. */
  async #place(name: string, content: LargeBody['content']): Promise<void> {
    const path = this.#pathOf(name);
    const folder = join(path, '..');
    if (await makeShared(folder, this.#modes.folder)) await syncFile(join(folder, '..'));
    const draft = join(folder, `tmp_${randomBytes(9).toString('base64url')}`);
    try {
      await writeDurably(draft, content, this.#modes.file);
      await rename(draft, path);
      await syncFile(folder);
    } catch (error) {
      await unlink(draft).catch(() => undefined);
      throw error;
    }
  }

  async #contentOf(name: string): Promise<Body['content'] | null> {
    const size = await this.#sizeOf(name);
    if (size === null) return null;
    const path = this.#pathOf(name);
    return size <= PIECE_BYTES ? await readFile(path) : piecesOfFile(path);
  }

  async #sizeOf(name: string): Promise<number | null> {
    return (await unlessMissing(stat(this.#pathOf(name)), null))?.size ?? null;
  }

  #pathOf(name: string): string {
    return join(this.#folder, BODIES, name.slice(0, 2), name.slice(2));
  }
}

const AT_ONCE = 16;

async function* piecesOfFile(path: string): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) yield piece as Buffer;
}
