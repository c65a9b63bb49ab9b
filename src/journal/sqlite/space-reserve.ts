import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Enough for the last records of several runs, and for the pages of the database that change with them. */
const RESERVE_BYTES = 512 * 1024;

/**
 * Reserved space on the journal's disk that is released when the disk is full, so that a paid result and the pause of its
 * run can still be written.
 */
export class SpaceReserve {
  readonly #path: string;

  constructor(home: string) {
    this.#path = join(home, 'journal.reserve');
  }

  /** If the disk lacks the space, there is no reserve. Random bytes, because a file system may store zeros without taking space. */
  fill(): void {
    if (existsSync(this.#path)) return;
    try {
      writeFileSync(this.#path, randomBytes(RESERVE_BYTES), { mode: 0o600 });
    } catch {
      rmSync(this.#path, { force: true });
    }
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }
}
