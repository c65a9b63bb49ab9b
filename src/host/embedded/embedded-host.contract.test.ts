import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import { contents } from '../../journal/testing/under-test.ts';
import type { Journal } from '../../journal/port.ts';
import { hostContract } from '../host.contract.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from '../testing/coder-reviewer.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

hostContract('the embedded host on the memory journal', {
  makeHost: createEmbeddedHost,
  makeJournal: createMemoryJournal,
});

const folders: string[] = [];
const journals: Journal[] = [];

async function onDisk(): Promise<Journal> {
  const home = mkdtempSync(join(tmpdir(), 'troupe-host-'));
  folders.push(home);
  const journal = await openSqliteJournal({ home });
  journals.push(journal);
  return journal;
}

hostContract('the embedded host on SQLite', { makeHost: createEmbeddedHost, makeJournal: onDisk });

test('[L9] the same run leaves the same journal in memory and on the disk', async () => {
  const [memory, disk] = await Promise.all(
    [createMemoryJournal(), await onDisk()].map(async (journal) => {
      const world = testWorld({
        journal,
        clock: new ManualClock(),
        answer: coderReviewerAnswer,
        tools: [noteTool([])],
      });
      const host = createEmbeddedHost(world);
      const run = await host.start({ definition: coderReviewer(), input: {}, run: runId('twin'), project: '.' });
      await host.rest(run);
      await host.shutdown();
      return contents(journal.read(run));
    }),
  );
  expect(memory?.length).toBeGreaterThan(20);
  expect(disk).toEqual(memory);
});

afterAll(async () => {
  await Promise.all(journals.map((journal) => journal.close()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
