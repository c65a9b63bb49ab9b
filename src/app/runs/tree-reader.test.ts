import { expect, test } from 'vitest';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { childRunId, runId, taskId, type RunId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { followRun } from './tree-reader.ts';

const [ROOT, TASK] = [runId('root'), taskId('build#1')];
const CHILD = childRunId(ROOT, TASK);

const note = (text: string): Fact => ({
  kind: 'message.added',
  context: text,
  message: { author: 'a', role: 'user', content: text },
});

const started: Fact = {
  kind: 'task.started',
  task: TASK,
  state: 'build',
  pool: null,
  unit: null,
  work: { kind: 'call', workflow: 'below', input: {} },
  deadline: null,
};

const ended: Fact = { kind: 'task.ended', task: TASK, outcome: 'ok', output: null, failure: null };

/** A run that starts another one and hears of its end. Their hosts have their own clocks. */
async function orderOf(clocks: { readonly root: number; readonly child: number }): Promise<readonly string[]> {
  const journal = createMemoryJournal();
  const summary = { status: 'running', outcome: null } as const;
  const begin = (run: RunId, parent: RunId | null) =>
    journal.create({ run, parent, workflow: 'w', project: '/', title: '', at: 0 }, 'test');
  const root = await begin(ROOT, null);
  await journal.append(root, { records: recordsAt(clocks.root, 1, [note('before'), started]), summary });
  const child = await begin(CHILD, ROOT);
  await journal.append(child, { records: recordsAt(clocks.child, 1, [note('below 1')]), summary });
  await journal.append(child, { records: recordsAt(clocks.child, 2, [note('below 2')]), summary });
  await journal.append(root, { records: recordsAt(clocks.root, 3, [ended, note('after')]), summary });
  const seen: string[] = [];
  for await (const { record } of followRun(journal, ROOT, { isOver: async () => true }))
    seen.push(record.fact.kind === 'message.added' ? record.fact.context : record.fact.kind);
  return seen;
}

const recordsAt = (at: number, first: number, facts: readonly Fact[]): readonly JournalRecord[] =>
  facts.map((fact, index) => ({ seq: first + index, at, fact }));

test.each([
  ['in the same millisecond', { root: 100, child: 100 }],
  ['by a clock that is an hour behind', { root: 4_000_000, child: 400_000 }],
  ['by a clock that is an hour ahead', { root: 100, child: 3_600_100 }],
])('[A3] records of a run below stand between its start and its end, written %s', async (_, times) => {
  expect(await orderOf(times)).toEqual(['before', 'task.started', 'below 1', 'below 2', 'task.ended', 'after']);
});
