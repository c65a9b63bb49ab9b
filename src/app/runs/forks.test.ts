import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { forksOf } from './find-run.ts';

async function begin(journal: Journal, run: string, forkedFrom?: string): Promise<void> {
  const about = { run: runId(run), parent: null, workflow: 'w', project: '/p', title: '', at: 1 };
  await journal.create({ ...about, ...(forkedFrom === undefined ? {} : { forkedFrom: runId(forkedFrom) }) }, 'me');
}

test('[L3] every fork of a run is found, however many runs began since', async () => {
  const journal = createMemoryJournal();
  await begin(journal, 'a');
  await begin(journal, 'b', 'a');
  await begin(journal, 'c', 'b');
  for (let index = 0; index < 300; index += 1) await begin(journal, `other-${index}`);
  await begin(journal, 'd', 'a');
  expect(await forksOf(journal, runId('a'))).toEqual(['b', 'd']);
  expect(await forksOf(journal, runId('b'))).toEqual(['c']);
  expect(await forksOf(journal, runId('other-0'))).toEqual([]);
});
