import { expect, test } from 'vitest';

import { runId } from '../../core/model/ids.ts';
import { journalContract } from '../journal.contract.ts';
import type { NewRun } from '../port.ts';
import { createMemoryJournal } from './memory-journal.ts';

journalContract('in memory', async () => ({ journal: createMemoryJournal(), dispose: async () => {} }));

const RUN: NewRun = { run: runId('a'), parent: null, workflow: 'w', project: '/p', title: '', at: 1 };

test('[J3] the run of an owner that died can be taken at once', async () => {
  const dead = new Set<string>();
  const journal = createMemoryJournal({ isAlive: (owner) => !dead.has(owner) });
  await journal.create(RUN, 'first');
  await expect(journal.lease(RUN.run, 'second')).rejects.toMatchObject({ code: 'RUN_BUSY' });
  dead.add('first');
  expect(await journal.run(RUN.run)).toMatchObject({ driven: false });
  expect(await journal.lease(RUN.run, 'second')).toMatchObject({ epoch: 2 });
});

test('[J4] a list that was read does not change when more is appended', async () => {
  const journal = createMemoryJournal();
  const lease = await journal.create(RUN, 'host');
  const before = await journal.read(RUN.run);
  const record = { seq: 1, at: 1, fact: { kind: 'run.resumed', epoch: 1 } } as const;
  await journal.append(lease, { records: [record], summary: { status: 'running', outcome: null } });
  expect(before).toEqual([]);
  expect((await journal.read(RUN.run))[0]?.fact).toBe(record.fact);
});
