import { expect, test } from 'vitest';
import type { Fact, JournalRecord } from '../../core/fact.ts';
import { forkRecords } from '../../core/fork.ts';
import { runId } from '../../core/ids.ts';
import { startedRun } from '../../core/testing/started-run.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { forksOf } from './forks.ts';

const resumed: Fact = { kind: 'run.resumed', epoch: 1 };
const LONG = 600;

/** A run of many records, a millisecond apart. */
const records = (name: string, at: number): readonly JournalRecord[] =>
  [startedRun(name), ...Array.from({ length: LONG }, () => resumed)].map((fact, index) => ({
    seq: index + 1,
    at: at + index,
    fact,
  }));

const forked = (run: string, from: { readonly run: string; readonly records: readonly JournalRecord[] }, at: number) =>
  forkRecords(from.records, {
    run: runId(run),
    parent: null,
    seq: LONG,
    at,
    forked: { kind: 'run.forked', from: { run: runId(from.run), seq: LONG }, input: {}, by: 'ann' },
  });

async function write(journal: Journal, run: string, at: number, own: readonly JournalRecord[]): Promise<void> {
  const about = { run: runId(run), parent: null, workflow: 'w', project: '/p', title: '', at };
  await journal.create(about, 'me', { records: own, summary: { status: 'running', outcome: null } });
}

test('[L3] the forks of a run are found without reading those that are none', async () => {
  const journal = createMemoryJournal();
  const first = records('a', 1000);
  const fork = forked('b', { run: 'a', records: first }, 5000);
  await write(journal, 'a', 1000, first);
  await write(journal, 'other', 2000, records('other', 2000));
  await write(journal, 'b', 5000, [...fork, { seq: fork.length + 1, at: 6000, fact: resumed }]);
  await write(journal, 'c', 7000, forked('c', { run: 'b', records: fork }, 7000));
  await write(journal, 'd', 8000, forked('d', { run: 'a', records: first }, 8000));
  const read: Record<string, number> = {};
  const spied: Parameters<typeof forksOf>[0] = {
    run: (run) => journal.run(run),
    runs: (filter) => journal.runs(filter),
    read: async (run, after, limit) => {
      const found = await journal.read(run, after, limit);
      read[run] = (read[run] ?? 0) + found.length;
      return found;
    },
  };
  expect(await forksOf(spied, runId('a'))).toEqual(['b', 'd']);
  expect(read).toMatchObject({ a: 1, other: 1 });
  expect(await forksOf(journal, runId('b'))).toEqual(['c']);
  expect(await forksOf(journal, runId('other'))).toEqual([]);
});
