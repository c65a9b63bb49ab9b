import { constants, watch, type FSWatcher } from 'node:fs';
import { lutimes, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunId } from '../../core/model/ids.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import {
  LISTENING_FILE,
  LIVE_FOLDER,
  parseWords,
  runOfWordsFile,
  wordsFile,
  type WordsLine,
} from '../../protocol/web/live-words.ts';

export interface WordTailOptions {
  readonly home: string;
  readonly heard: (line: WordsLine) => void;
}

/**
 * Reads on in the files of words of the runs that are followed, and says that somebody listens. Whatever goes wrong here costs
 * only that words come with their record instead of before it.
 */
export class WordTail {
  readonly #folder: string;
  readonly #heard: (line: WordsLine) => void;
  /** How far each followed root was read. */
  readonly #reached = new Map<RunId, Reached>();
  #watcher: FSWatcher | null = null;
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor({ home, heard }: WordTailOptions) {
    this.#folder = join(home, LIVE_FOLDER);
    this.#heard = heard;
  }

  follow(root: RunId): void {
    const reached = this.#reached.get(root);
    if (reached !== undefined) reached.followers += 1;
    else this.#reached.set(root, { followers: 1, position: 0 });
    if (this.#timer === null) this.#start();
    this.#plan(root);
  }

  /** True when it has no followers left. */
  unfollow(root: RunId): boolean {
    const reached = this.#reached.get(root);
    if (reached === undefined) return true;
    reached.followers -= 1;
    if (reached.followers > 0) return false;
    this.#reached.delete(root);
    if (this.#reached.size === 0) this.#stop();
    return true;
  }

  #start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
    try {
      makeFolder(this.#folder, 0o700);
      this.#watcher = watch(this.#folder, { persistent: false }, (_event, file) => this.#changed(file));
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Without it the files are looked at now and then.
    }
    this.#reading = this.#reading.then(() => removeOld(this.#folder));
    this.#look();
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#watcher?.close();
    this.#watcher = null;
  }

  #look(): void {
    void touch(join(this.#folder, LISTENING_FILE));
    for (const root of this.#reached.keys()) this.#plan(root);
  }

  #changed(file: string | null): void {
    const root = file === null ? null : runOfWordsFile(file);
    if (root !== null) this.#plan(root as RunId);
  }

  #plan(root: RunId): void {
    const reached = this.#reached.get(root);
    if (reached === undefined || reached.isPlanned === true) return;
    reached.isPlanned = true;
    this.#reading = this.#reading.then(async () => {
      reached.isPlanned = false;
      if (this.#reached.get(root) === reached) await this.#read(root, reached);
    });
  }

  async #read(root: RunId, reached: Reached): Promise<void> {
    const bytes = await readFrom(join(this.#folder, wordsFile(root)), reached.position).catch(() => null);
    if (bytes === null) return;
    reached.position = bytes.position;
    for (const text of bytes.text.split('\n')) {
      const line = parseWords(text);
      if (line !== null) this.#heard(line);
    }
  }
}

interface Reached {
  followers: number;
  position: number;
  isPlanned?: boolean;
}

const LOOK_MS = 1500;
const OLD_MS = 60 * 60 * 1000;
/** More than a file of words ever has. */
const MOST_BYTES = 4 * 1024 * 1024;

interface Piece {
  readonly text: string;
  /** Where to go on. */
  readonly position: number;
}

/** Does not follow a link, and does not block on a pipe without a writer. */
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function readFrom(path: string, position: number): Promise<Piece | null> {
  const file = await open(path, PLAIN);
  try {
    const found = await file.stat();
    const { size } = found;
    if (!found.isFile() || size === position) return null;
    // Shorter than what was read of it: it was restarted.
    const from = size < position ? 0 : position;
    const bytes = Buffer.alloc(Math.min(size - from, MOST_BYTES));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    // Only whole lines, so that no character is cut in two.
    const end = bytes.lastIndexOf(NEWLINE, bytesRead - 1) + 1;
    return { text: bytes.toString('utf8', 0, end), position: from + end };
  } finally {
    await file.close();
  }
}

const NEWLINE = 10;

async function touch(path: string): Promise<void> {
  const now = new Date();
  await lutimes(path, now, now)
    .catch(() => writeFile(path, '', { mode: 0o600, flag: 'wx' }))
    .catch(() => undefined);
}

/** Left by a process that was killed. */
async function removeOld(folder: string): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  for (const file of files.filter((name) => runOfWordsFile(name) !== null)) {
    const path = join(folder, file);
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > OLD_MS) await rm(path, { force: true }).catch(() => undefined);
  }
}
