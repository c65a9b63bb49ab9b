import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { HeadTable, NO_COMMIT } from './head.ts';
import { APPLICATION_ID, SCHEMA, schemaHash } from './schema.ts';

/** Built in a draft file and moved into place as a whole: a half-made journal is never seen, and of two processes one wins. */
export function makeDatabase(path: string): void {
  const draft = `${path}.new-${randomUUID()}`;
  try {
    // The files next to the database take over its mode.
    closeSync(openSync(draft, 'wx', 0o600));
    fill(draft);
    forceToDisk(draft);
    putInPlace(draft, path);
    // Windows neither opens folders nor needs it.
    if (process.platform !== 'win32') forceToDisk(dirname(path));
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${suffix}`, { force: true });
  }
}

/**
 * Nothing must survive before the whole file is forced to the disk. Small pages: a commit changes a few rows, and each
 * touched page is written whole, so this halves the bytes of a turn.
 */
function fill(draft: string): void {
  const database = new DatabaseSync(draft);
  try {
    database.exec(
      `PRAGMA page_size = 1024; PRAGMA synchronous = OFF; BEGIN; PRAGMA application_id = ${APPLICATION_ID}; ${SCHEMA}`,
    );
    new HeadTable(database).save(NO_COMMIT);
    database.prepare("INSERT INTO meta VALUES ('schema', ?)").run(schemaHash(database));
    database.exec('COMMIT; PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
}

function putInPlace(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Another process was quicker.
    if (code === 'EEXIST') return;
    // A file system without hard links.
    if (code !== 'EPERM' && code !== 'ENOTSUP') throw error;
    renameSync(draft, path);
  }
}

function forceToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
