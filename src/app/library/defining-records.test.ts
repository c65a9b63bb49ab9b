import { expect, test } from 'vitest';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { runId } from '../../core/model/ids.ts';
import { startedRun } from '../../core/testing/started-run.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { definingRecords } from './defining-records.ts';

const RUN = runId('a');
const resumed: Fact = { kind: 'run.resumed', epoch: 1 };
const forked = { kind: 'run.forked' } as unknown as Fact;

/** A run with these records, and how many of them each read gave. */
async function aRun(
  facts: readonly Fact[],
): Promise<{ readonly journal: Pick<Journal, 'read'>; readonly sizes: number[] }> {
  const journal = createMemoryJournal();
  const records = facts.map((fact, index): JournalRecord => ({ seq: index + 1, at: 1, fact }));
  const about = { run: RUN, parent: null, workflow: 'w', project: '/p', title: '', at: 1 };
  await journal.create(about, 'me', { records, summary: { status: 'running', outcome: null } });
  const sizes: number[] = [];
  const read: Journal['read'] = async (...asked) => {
    const found = await journal.read(...asked);
    sizes.push(found.length);
    return found;
  };
  return { journal: { read }, sizes };
}

test('[U2] the first record says which definition a run has, and a long one is never in memory as a whole', async () => {
  const { journal, sizes } = await aRun([startedRun('a'), ...Array.from({ length: 5000 }, () => resumed)]);
  expect(await definingRecords(journal, RUN)).toMatchObject([{ seq: 1 }]);
  expect(Math.max(...sizes)).toBeLessThan(500);
});

test('[U2] a run whose definition may have been replaced is read whole', async () => {
  const { journal } = await aRun([startedRun('a'), ...Array.from({ length: 500 }, () => resumed), forked, resumed]);
  expect(await definingRecords(journal, RUN)).toHaveLength(503);
});
