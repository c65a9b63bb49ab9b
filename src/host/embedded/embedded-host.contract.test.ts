import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { hostContract } from '../contract.ts';
import { createEmbeddedHost } from './embedded-host.ts';

hostContract('the embedded host on the memory journal', {
  makeHost: createEmbeddedHost,
  makeJournal: createMemoryJournal,
});

const folders: string[] = [];
const journals: Journal[] = [];

hostContract('the embedded host on SQLite', {
  makeHost: createEmbeddedHost,
  async makeJournal() {
    const home = mkdtempSync(join(tmpdir(), 'troupe-host-'));
    folders.push(home);
    const journal = await openSqliteJournal({ home });
    journals.push(journal);
    return journal;
  },
});

afterAll(async () => {
  await Promise.all(journals.map((journal) => journal.close()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
