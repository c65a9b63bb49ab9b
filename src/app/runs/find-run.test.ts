import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { findRun } from './find-run.ts';

async function journalWith(...runs: readonly string[]): Promise<Journal> {
  const journal = createMemoryJournal();
  for (const [index, run] of runs.entries()) {
    const parent = run.includes('/') ? runId(run.slice(0, run.lastIndexOf('/'))) : null;
    await journal.create({ run: runId(run), parent, workflow: 'w', project: '/', title: '', at: index }, 'test');
  }
  return journal;
}

test('[U1] a run is found by its id, a unique beginning, or as the newest', async () => {
  const journal = await journalWith('abc1', 'abd2');
  expect((await findRun(journal, 'abc1', '/')).run).toBe('abc1');
  expect((await findRun(journal, 'abd', '/')).run).toBe('abd2');
  expect((await findRun(journal, 'last', '/')).run).toBe('abd2');
});

test('[U1] a child is found below a beginning of its root', async () => {
  const journal = await journalWith('abc1', 'abc1/t2');
  expect((await findRun(journal, 'ab/t2', '/')).run).toBe('abc1/t2');
});

test('[L3] a beginning that several runs have, or none, is a fault', async () => {
  const journal = await journalWith('abc1', 'abd2');
  await expect(findRun(journal, 'ab', '/')).rejects.toMatchObject({ code: 'RUN_AMBIGUOUS' });
  await expect(findRun(journal, 'x', '/')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  await expect(findRun(createMemoryJournal(), 'last', '/')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
});

test('[U1] inside a project, the last run is the newest of that project', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-find-'));
  try {
    mkdirSync(join(folder, '.troupe'));
    const journal = createMemoryJournal();
    await expect(findRun(journal, 'last', folder)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    const common = { parent: null, workflow: 'w', title: '' };
    await journal.create({ ...common, run: runId('mine'), project: folder, at: 1 }, 'test');
    await journal.create({ ...common, run: runId('other'), project: '/elsewhere', at: 2 }, 'test');
    expect((await findRun(journal, 'last', folder)).run).toBe('mine');
    // Outside every project one of several runs would be ambiguous.
    await expect(findRun(journal, 'last', '/')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    expect((await findRun(journal, 'oth', folder)).run).toBe('other');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
