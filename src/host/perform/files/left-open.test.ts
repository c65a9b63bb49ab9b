import { expect, test } from 'vitest';
import { foldRecords } from '../../../core/fold/fold.ts';
import type { Fact } from '../../../core/record/fact.ts';
import { runId, taskId } from '../../../core/model/ids.ts';
import type { Json } from '../../../core/model/json.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { build, end } from '../../testing/build-definition.ts';
import { leftOpen } from './left-open.ts';

test.for([
  ['step.collect', { writes: true }, ['main']],
  ['step.begin', {}, []],
] as const)(
  '[W1] a run that was left in %s: only one that runs commands may have written half of something',
  async ([program, writes, half]) => {
    const journal = createMemoryJournal();
    const definition = await journal.putBody(build({ states: [end('stop')] }) as unknown as Json);
    const facts: readonly Fact[] = [
      {
        kind: 'run.started',
        format: 1,
        engine: 'test',
        run: runId('r1'),
        parent: null,
        workflow: 'test',
        definition,
        input: {},
        data: {},
        contexts: [],
        limits: { iterations: 1, toolRounds: 1 },
        project: '.',
      },
      {
        kind: 'task.started',
        task: taskId('t1'),
        state: 's',
        pool: null,
        unit: null,
        work: { kind: 'compute', program, input: null, ...writes },
        deadline: null,
      },
    ];
    const snapshot = foldRecords(facts.map((fact, at) => ({ seq: at + 1, at, fact })));
    expect([...(await leftOpen(journal, [snapshot])).half]).toEqual(half);
  },
);
