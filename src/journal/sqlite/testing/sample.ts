import type { JournalRecord } from '../../../core/record/fact.ts';
import { rootRunId, runId } from '../../../core/model/ids.ts';
import type { Batch, Journal, NewRun } from '../../port.ts';

/** Runs, records and messages whose content follows from their numbers, so that any process can say what must be there. */
export const sampleRun = (name: string): NewRun => ({
  run: runId(name),
  parent: null,
  workflow: 'review',
  project: '/project',
  title: `title of ${name}`,
  at: 1,
});

export const sampleRecord = (run: string, seq: number): JournalRecord => ({
  seq,
  at: 1000 + seq,
  fact: { kind: 'message.added', context: run, message: { author: 'person', role: 'user', content: textOf(run, seq) } },
});

export const sampleRecords = (run: string, first: number, count: number): readonly JournalRecord[] =>
  Array.from({ length: count }, (_, index) => sampleRecord(run, first + index));

export const sampleBatch = (run: string, first: number, count: number): Batch => ({
  records: sampleRecords(run, first, count),
  summary: { status: 'running', outcome: null },
});

const textOf = (run: string, seq: number): string => `${run} ${seq} ${'.'.repeat((seq * 37) % 600)}`;

/** All that can be read from a journal, as one value. */
export async function everythingIn(journal: Journal): Promise<unknown> {
  const runs = await journal.runs();
  const details = [];
  for (const { run } of runs) {
    const related = [await journal.runs({ parent: run }), await journal.runs({ forkedFrom: run })];
    if (rootRunId(run) === run) details.push([await journal.runs({ root: run }), await journal.tree(run)]);
    details.push([await journal.run(run), await journal.read(run), await journal.inbox(run), related]);
  }
  return { runs, details, addressed: await journal.addressed() };
}
