import { realpath, stat } from 'node:fs/promises';
import { Fault } from '../../core/fault.ts';
import { readIndex, writeIndex } from './folder-index.ts';
import type { FolderState } from './folder-state.ts';

/** What is known of each folder, in memory and in its index file. One piece of work on a folder at a time. */
export class RememberedFolders {
  readonly #folders = new Map<string, Remembered>();

  /** `work` gets what is known and returns what is to be known from then on; thrown, everything stays as it was. */
  async use<T>(place: RememberedFolder, work: (state: FolderState, folder: string) => Promise<Worked<T>>): Promise<T> {
    const { folder, name } = await realFolder(place.folder);
    const key = JSON.stringify([name, place.index]);
    const known = this.#folders.get(key) ?? { turn: Promise.resolve(), state: null, timer: null };
    this.#folders.set(key, known);
    const mine = known.turn.then(async () => {
      const worked = await work(known.state ?? (await readIndex(place.index, name)), folder);
      known.state = worked.state;
      this.#writeSoon(known, { folder: name, index: place.index });
      return worked.result;
    });
    known.turn = mine.catch(() => undefined);
    return mine;
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    for (const [key, known] of this.#folders) {
      await known.turn;
      const [folder, index] = JSON.parse(key) as [string, string];
      if (known.timer === null || known.state === null) continue;
      clearTimeout(known.timer);
      known.timer = null;
      await writeIndex(index, folder, known.state);
    }
    this.#folders.clear();
  }

  /** After the work, and not after each piece of it: the index is worth little next to what it would cost. */
  #writeSoon(known: Remembered, { folder, index }: RememberedFolder): void {
    known.timer ??= setTimeout(() => {
      known.timer = null;
      if (known.state !== null) void writeIndex(index, folder, known.state);
    }, WRITE_AFTER_MS).unref();
  }
}

interface RealFolder {
  /** The path to work with. One by descriptor leads to what is mounted elsewhere only, and its real path to what is not. */
  readonly folder: string;
  /** The same for one folder at all times. */
  readonly name: string;
}

async function realFolder(path: string): Promise<RealFolder> {
  const [real, stats] = await Promise.all([realpath(path), stat(path)]).catch((cause: unknown) => {
    throw new Fault('FOLDER_MISSING', `There is no folder ${path}.`, { facts: { path }, cause });
  });
  if (!stats.isDirectory()) throw new Fault('FOLDER_MISSING', `${path} is no folder.`, { facts: { path } });
  return { folder: path.startsWith('/proc/') ? path : real, name: real };
}

export interface RememberedFolder {
  readonly folder: string;
  readonly index: string;
}

interface Worked<T> {
  readonly result: T;
  readonly state: FolderState;
}

interface Remembered {
  turn: Promise<unknown>;
  state: FolderState | null;
  timer: NodeJS.Timeout | null;
}

const WRITE_AFTER_MS = 1000;
