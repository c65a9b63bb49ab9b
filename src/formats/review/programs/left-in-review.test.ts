import { expect, test } from 'vitest';
import type { Fact } from '../../../core/record/fact.ts';
import { foldRecords } from '../../../core/fold/fold.ts';
import { runId, taskId } from '../../../core/model/ids.ts';
import type { Json } from '../../../core/model/json.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { build, end } from '../../../host/testing/build-definition.ts';
import { leftOpen } from '../../../host/perform/files/left-open.ts';

test.for([
  ['review.verify', { writes: true, input: { agent: 'impl_1' } }, ['impl_1']],
  ['review.pack', { writes: true, input: { agent: 'rev_1' } }, ['review']],
  ['review.next', { input: {} }, []],
] as const)(
  '[W1] a run that was left in %s: only the workspace of its work may be half done',
  async ([program, given, half]) => {
    const journal = createMemoryJournal();
    const built = build({ roles: { impl_1: {}, rev_1: {} }, states: [end('stop')] });
    const places = { impl_1: 'own', rev_1: 'review' } as Readonly<Record<string, string>>;
    const agents = built.workflow.agents.map((agent) => ({ ...agent, workspace: places[agent.name] ?? 'shared' }));
    const definition = await journal.putBody({
      ...built,
      workflow: { ...built.workflow, agents },
    } as unknown as Json);
    const started: Fact = {
      kind: 'run.started',
      format: 1,
      engine: 'test',
      run: runId('r1'),
      parent: null,
      workflow: built.workflow.name,
      definition,
      input: {},
      data: {},
      contexts: [],
      limits: { iterations: 1, toolRounds: 1 },
      project: '.',
    };
    const asked: Fact = {
      kind: 'task.started',
      task: taskId('t1'),
      state: 's',
      pool: null,
      unit: null,
      work: { kind: 'compute', program, ...given },
      deadline: null,
    };
    const snapshot = foldRecords([started, asked].map((fact, at) => ({ seq: at + 1, at, fact })));
    expect([...(await leftOpen(journal, [snapshot])).half]).toEqual(half);
  },
);
