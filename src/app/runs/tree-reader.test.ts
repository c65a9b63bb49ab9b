import { expect, test } from 'vitest';
import type { Fact } from '../../core/fact.ts';
import { childRunId, runId, taskId, type RunId } from '../../core/ids.ts';
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

/** Records of a run that all have the given time. */
async function orderOf(times: { readonly root: number; readonly child: number }): Promise<readonly string[]> {
  const journal = createMemoryJournal();
  const write = async (run: RunId, parent: RunId | null, { at, facts }: { at: number; facts: readonly Fact[] }) => {
    const records = facts.map((fact, index) => ({ seq: index + 1, at, fact }));
    const header = { run, parent, workflow: 'w', project: '/', title: '', at };
    await journal.create(header, 'test', { records, summary: { status: 'running', outcome: null } });
  };
  await write(ROOT, null, { at: times.root, facts: [note('before'), started, ended, note('after')] });
  await write(CHILD, ROOT, { at: times.child, facts: [note('below 1'), note('below 2')] });
  const seen: string[] = [];
  for await (const { record } of followRun(journal, ROOT, { isOver: async () => true }))
    seen.push(record.fact.kind === 'message.added' ? record.fact.context : record.fact.kind);
  return seen;
}

test.each([
  ['in the same millisecond', { root: 100, child: 100 }],
  ['by a clock that is behind', { root: 100, child: 50 }],
  ['by a clock that is ahead', { root: 100, child: 200 }],
])('[A3] records of a run below stand between its start and its end, written %s', async (_, times) => {
  expect(await orderOf(times)).toEqual(['before', 'task.started', 'below 1', 'below 2', 'task.ended', 'after']);
});
