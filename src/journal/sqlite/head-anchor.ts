import { closeSync, constants, fdatasync, openSync, writeSync } from 'node:fs';

import { encodeHead, headIn, headPath, readOpenHead, type WrittenHead } from './head-file.ts';
import { refuseTruncated, type JournalHead } from './head.ts';

/**
 * The newest commit, stored outside the database: SQLite treats a lost or cut -wal file as one that was never written.
 *
 * Written after each commit with one small write, rarely forced to the disk: an anchor that is behind proves less, but never
 * accuses wrongly. One that is ahead of the database is the alarm. A comparison reads the anchor first.
 */
export class HeadAnchor {
  readonly #home: string;
  readonly #newest: () => JournalHead;
  readonly #file: number;
  /** The last content written by this process, most often found unchanged. */
  #last: WrittenHead | undefined;
  #timer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> = Promise.resolve();

  /** `newest` reads the newest commit from the database. */
  constructor(home: string, newest: () => JournalHead) {
    this.#home = home;
    this.#newest = newest;
    this.#file = openSync(headPath(home), constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  read(): JournalHead | null {
    return headIn(readOpenHead(this.#file, this.#last), this.#home);
  }

  /** The commit is already safe: if the anchor cannot be written it stays behind, which is allowed. */
  write(head: JournalHead): void {
    try {
      this.#write(head);
      this.#timer ??= setTimeout(() => this.#settleInPassing(), SETTLE_AFTER_MS).unref();
    } catch {}
  }

  /**
   * Several processes write it, each after its own commits and in no order, so an older commit may be written last. So each
   * writer asks the database again: the last one to do so has seen every commit whose anchor it may have replaced.
   */
  settle(): void {
    refuseTruncated(this.#home, this.read(), this.#newest());
    let written: JournalHead;
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

  #write(head: JournalHead): void {
    const written = encodeHead(head);
    writeSync(this.#file, written.text, 0, 'latin1');
    this.#last = written;
  }

  /** An error here occurs again in the next write, which reports it. */
  #settleInPassing(): void {
    this.#timer = undefined;
    try {
      this.settle();
    } catch {}
    this.#syncing = this.#force();
  }

  /** If that fails it stays behind after a power failure, which is allowed. */
  #force(): Promise<void> {
    return new Promise((resolve) => {
      fdatasync(this.#file, () => resolve());
    });
  }
}

const SETTLE_AFTER_MS = 3000;
