import { hash } from 'node:crypto';
import { closeSync, constants, fdatasync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import type { Head } from './head.ts';
import { damaged } from './sqlite-fault.ts';

/**
 * The newest commit, told outside the database: SQLite takes a lost or cut -wal file for one that was never written.
 *
 * Written after each commit with one small write, rarely forced to the disk: an anchor that is behind proves less, but
 * never accuses wrongly. One that is ahead of the database is the alarm. Whoever compares reads the anchor first.
 */
export class HeadAnchor {
  readonly #home: string;
  readonly #file: number;
  #syncedAt = performance.now();
  #syncing: Promise<void> = Promise.resolve();

  constructor(home: string) {
    this.#home = home;
    this.#file = openSync(anchorPath(home), constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  read(): Head | null {
    return readHead(this.#file, this.#home);
  }

  /**
   * Several processes write it, each after its own commits and in no order. So whoever wrote asks the database once
   * more: the last one to write has then seen every commit whose anchor it may have overwritten.
   */
  follow(head: Head, newest: () => Head): void {
    let written = head;
    for (;;) {
      writeSync(this.#file, encode(written), 0, 'latin1');
      const found = newest();
      if (found.number <= written.number) break;
      written = found;
    }
    this.#syncNowAndThen();
  }

  sync(): void {
    fdatasyncSync(this.#file);
  }

  async close(): Promise<void> {
    await this.#syncing;
    closeSync(this.#file);
  }

  #syncNowAndThen(): void {
    const now = performance.now();
    if (now - this.#syncedAt < SYNC_EVERY_MS) return;
    this.#syncedAt = now;
    // Where forcing it fails it stays behind, which is allowed.
    this.#syncing = new Promise((resolve) => fdatasync(this.#file, () => resolve()));
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

const SYNC_EVERY_MS = 3000;
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

function readHead(file: number, home: string): Head | null {
  const page = Buffer.alloc(LENGTH + 1);
  for (let attempt = 0; attempt < READS; attempt += 1) {
    const length = readSync(file, page, 0, page.length, 0);
    // Made, but the process died before it wrote.
    if (length === 0) return null;
    const head = decode(page.toString('latin1', 0, length));
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
