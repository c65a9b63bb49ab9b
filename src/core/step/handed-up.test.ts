import { expect, test } from 'vitest';
import { toArray } from '../model/append-list.ts';
import { applyFact } from '../fold/apply.ts';
import type { Fact } from '../record/fact.ts';
import { isHandedUp } from './handed-up.ts';
import type { Failure } from '../model/outcome.ts';
import { ask, definitionOf, end, to, work } from '../testing/definitions.ts';
import { TestedRun } from '../testing/tested-run.ts';

const FAILURE: Failure = { code: 'TIMEOUT', message: 'It took too long.', class: 'timeout' };

test('[R4] a failure is handed up by the task, the pool and the run above it, and by no other work', () => {
  const known = [{ failure: FAILURE, task: 't2', pool: 't1' }];
  expect(['t2', 't1', null].map((by) => isHandedUp(FAILURE, by, known))).toEqual([true, true, true]);
  expect(isHandedUp(FAILURE, 't3', known)).toBe(false);
  expect(isHandedUp({ ...FAILURE, message: 'Another sentence.' }, 't2', known)).toBe(false);
});

test('[R4] a snapshot notes each failed call, and a failure that is handed up once, at its origin', () => {
  const run = new TestedRun(definitionOf([work('start', ask('coder'), { transitions: [to('stop')] }), end()]));
  const task = Object.keys(run.snapshot.tasks)[0] as never;
  const call = { task, call: 1, attempt: 1, failure: FAILURE } as const;
  const ended = { kind: 'task.ended', task, outcome: 'timeout', output: null, failure: FAILURE } as const;
  const facts = [
    { kind: 'call.failed', ...call, retryAt: 1 },
    { kind: 'call.failed', ...call, attempt: 2, retryAt: null },
    ended,
    { kind: 'run.settled', outcome: 'timeout', output: null, failure: FAILURE },
  ] as unknown as readonly Fact[];
  const { failures } = facts.reduce((now, fact) => applyFact(now, fact, run.now), run.snapshot);
  expect(toArray(failures).map(({ task: of }) => of)).toEqual([task, task]);
});
