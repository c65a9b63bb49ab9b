import { hash } from 'node:crypto';
import { closeSync, constants, fdatasync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { refuseTruncated, type Head } from './head.ts';
import { damaged } from './sqlite-fault.ts';

/**
 * The newest commit, told outside the database: SQLite takes a lost or cut -wal file for one that was never written.
 *
 * Written after each commit with one small write, rarely forced to the disk: an anchor that is behind proves less, but
 * never accuses wrongly. One that is ahead of the database is the alarm. Whoever compares reads the anchor first.
 */
export class HeadAnchor {
  readonly #home: string;
  readonly #newest: () => Head;
  readonly #file: number;
  /** What this process wrote last, most often found unchanged. */
  #last: Written | undefined;
  #timer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> = Promise.resolve();

  /** `newest` reads the newest commit from the database. */
  constructor(home: string, newest: () => Head) {
    this.#home = home;
    this.#newest = newest;
    this.#file = openSync(anchorPath(home), constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  read(): Head | null {
    return readHead(this.#file, this.#home, this.#last);
  }

  /** The commit is safe already: where the anchor cannot be written it stays behind, which is allowed. */
  write(head: Head): void {
    try {
      this.#write(head);
      this.#timer ??= setTimeout(() => this.#settleInPassing(), SETTLE_AFTER_MS).unref();
    } catch {}
  }

  /**
   * Several processes write it, each after its own commits and in no order, so an older commit may be written last. Here
   * whoever wrote asks the database again: the last one to do so has seen every commit whose anchor it may have replaced.
   */
  settle(): void {
    refuseTruncated(this.#home, this.read(), this.#newest());
    let written: Head;
    let newest = this.#newest();
    do {
      written = newest;
      this.#write(written);
      newest = this.#newest();
    } while (newest.number > written.number);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#syncing;
    await this.#force();
    closeSync(this.#file);
  }

  #write(head: Head): void {
    const text = encode(head);
    writeSync(this.#file, text, 0, 'latin1');
    this.#last = { text, head };
  }

  /** What goes wrong here is met again, and told, by the next write. */
  #settleInPassing(): void {
    this.#timer = undefined;
    try {
      this.settle();
    } catch {}
    this.#syncing = this.#force();
  }

  /** Where that fails it stays behind after a power failure, which is allowed. */
  #force(): Promise<void> {
    return new Promise((resolve) => {
      fdatasync(this.#file, () => resolve());
    });
  }
}

/** For a look without writing anything. */
export function readAnchor(home: string): Head | null {
  let file: number;
  try {
    file = openSync(anchorPath(home), 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return readHead(file, home);
  } finally {
    closeSync(file);
  }
}

const anchorPath = (home: string): string => join(home, 'journal.head');

const SETTLE_AFTER_MS = 3000;
const TITLE = 'troupe journal head 1';
/** The title, the number, the hash and the check, each followed by one character. Always as long, so that a write replaces all of it. */
const LENGTH = TITLE.length + 1 + 16 + 1 + 43 + 1 + 12 + 1;
/** Another process may be in the middle of writing it. */
const READS = 20;

function encode(head: Head): string {
  const line = `${TITLE} ${String(head.number).padStart(16, '0')} ${head.hash}`;
  return `${line} ${checkOf(line)}\n`;
}

const checkOf = (line: string): string => hash('sha256', line, 'base64url').slice(0, 12);

interface Written {
  readonly text: string;
  readonly head: Head;
}

/** Reading is synchronous, so one page serves all. */
const PAGE = Buffer.alloc(LENGTH + 1);

function readHead(file: number, home: string, known?: Written): Head | null {
  for (let attempt = 0; attempt < READS; attempt += 1) {
    const length = readSync(file, PAGE, 0, PAGE.length, 0);
    // Made, but the process died before it wrote.
    if (length === 0) return null;
    const text = PAGE.toString('latin1', 0, length);
    const head = text === known?.text ? known.head : decode(text);
    if (head !== null) return head;
  }
  throw damaged(`The file ${anchorPath(home)} is damaged.`, { file: anchorPath(home) });
}

function decode(text: string): Head | null {
  const line = text.slice(0, -14);
  const [number, hash] = line.slice(TITLE.length + 1).split(' ');
  if (number === undefined || hash === undefined || text !== `${line} ${checkOf(line)}\n`) return null;
  return { number: Number(number), hash };
}
