import { unitsInOrder } from './units.ts';
import { describe, expect, test } from 'vitest';
import { taskId } from '../model/ids.ts';
import type { Json } from '../model/json.ts';
import type { NewUnit } from '../record/task-fact.ts';
import type { Definition } from '../model/definition.ts';
import { definitionOf, end, pool, to, work } from '../testing/definitions.ts';
import { equals, literal, name } from '../testing/expressions.ts';
import { TestedRun } from '../testing/tested-run.ts';
import { unitProblem } from '../check/unit-problem.ts';
import type { PoolWork } from '../model/workflow.ts';

const POOL = taskId('t1');

/** Steps as a planner makes them, each a child run; the result of one may be split further. */
function steps(list: Json, parts: Partial<PoolWork> = {}): Definition {
  const child = { kind: 'call', workflow: 'child', input: {} } as const;
  const what = pool({ kind: 'items', items: literal(list), work: child }, parts);
  return definitionOf([work('start', what, { transitions: [to('stop')], on: { partial: [to('stop')] } }), end()]);
}

const splitting = (unit: string, into: Json) =>
  ({ kind: 'conditional', test: equals(name('unit'), unit), then: literal(into), otherwise: literal([]) }) as const;

const started = (run: TestedRun) =>
  run.ofKind('task.started').flatMap(({ unit, task }) => (unit === null ? [] : [`${unit}=${task}`]));

const statuses = (run: TestedRun) => unitsInOrder(run.snapshot.tasks[POOL]).map(({ id, status }) => `${id} ${status}`);

const rest = (run: TestedRun, task: string, isResting = true) =>
  run.send({ kind: 'child.slot', child: taskId(task), to: isResting ? 'left' : 'wanted' });

const offered = (run: TestedRun, units: readonly NewUnit[]) => run.send({ kind: 'units.offered', task: POOL, units });

describe('[Q1] a step that is split', () => {
  const list = [{ id: 'a' }, { id: 'b', after: ['a'] }];

  test('is done when its parts are: units that wait for it wait for them too', () => {
    const parts = [
      { id: 'a1', part_of: 'a' },
      { id: 'a2', part_of: 'a', after: ['a1'] },
    ];
    const run = new TestedRun(steps(list, { grow: splitting('a', parts) }));
    run.done('t2');
    expect(started(run)).toEqual(['a=t2', 'a1=t3']);
    run.done('t3');
    expect(started(run)).toEqual(['a=t2', 'a1=t3', 'a2=t4']);
    run.done('t4');
    expect(started(run).at(-1)).toBe('b=t5');
    run.done('t5');
    expect(run.snapshot.result?.outcome).toBe('ok');
  });

  test('[L5] is lost when a part of it is, however deep', () => {
    const run = new TestedRun(
      steps(list, { grow: splitting('a', [{ id: 'a1', part_of: 'a' }]), join: { rule: 'any' } }),
    );
    run.done('t2');
    offered(run, [{ id: 'a11', after: [], item: null, partOf: 'a1' }]);
    run.done('t3');
    run.breaks('t4');
    expect(run.ofKind('unit.ended')).toMatchObject([{ unit: 'b', outcome: 'skipped' }]);
    expect(run.ofKind('unit.ended')[0]?.reason).toContain('It depends on a');
  });

  test('[L3] a part of an unknown unit is an error, and so are cycles that only its parts make', () => {
    const run = new TestedRun(steps([...list, { id: 'c', after: ['b'] }]));
    const known = run.snapshot.tasks[POOL]?.units ?? [];
    const problem = (...units: readonly NewUnit[]) => unitProblem(known, { units })?.code ?? null;
    expect(problem({ id: 'x', after: [], item: null, partOf: 'y' })).toBe('UNIT_UNKNOWN');
    expect(problem({ id: 'x', after: [], item: null, partOf: 'x' })).toBe('UNIT_UNKNOWN');
    expect(problem({ id: 'x', after: ['c'], item: null, partOf: 'a' })).toBe('UNIT_CYCLE');
    expect(problem({ id: 'x', after: ['a'], item: null, partOf: 'a' })).toBe('UNIT_CYCLE');
    expect(problem({ id: 'x', after: [], item: null, partOf: 'a' })).toBeNull();
  });

  test('may have a part that waits for a unit that is already running', () => {
    const run = new TestedRun(steps(list));
    run.done('t2');
    expect(started(run).at(-1)).toBe('b=t3');
    offered(run, [{ id: 'a1', after: ['b'], item: null, partOf: 'a' }]);
    expect(statuses(run)).toEqual(['a ended', 'b running', 'a1 waiting']);
    run.done('t3');
    run.done('t4');
    expect(run.snapshot.result?.outcome).toBe('ok');
  });
});

describe('[Q3] a step that waits for a person or a quota', () => {
  const three = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];

  test('frees its slot for the next, and gets one again before anybody new', () => {
    const run = new TestedRun(steps(three, { slots: 1 }));
    rest(run, 't2');
    expect(started(run)).toEqual(['a=t2', 'b=t3']);
    expect(statuses(run)).toEqual(['a resting', 'b running', 'c waiting']);
    rest(run, 't2', false);
    expect(statuses(run)).toEqual(['a returning', 'b running', 'c waiting']);
    expect(run.last.effects).toEqual([]);
    run.done('t3');
    expect(run.last.effects).toEqual([{ kind: 'child.go', task: 't2' }]);
    expect(statuses(run)).toEqual(['a running', 'b ended', 'c waiting']);
    run.done('t2');
    run.done('t4');
    expect(run.snapshot.result?.outcome).toBe('ok');
  });

  test('continues at once if a slot is free', () => {
    const run = new TestedRun(steps(three));
    rest(run, 't3');
    expect(rest(run, 't3', false).effects).toEqual([{ kind: 'child.go', task: 't3' }]);
    expect(run.ofKind('unit.moved').map(({ to: where }) => where)).toEqual(['resting', 'returning', 'running']);
  });

  test('may rest again before it had its slot back', () => {
    const run = new TestedRun(steps(three, { slots: 1 }));
    rest(run, 't2');
    rest(run, 't2', false);
    rest(run, 't2');
    expect(statuses(run)).toEqual(['a resting', 'b running', 'c waiting']);
    run.done('t3');
    expect(statuses(run)).toEqual(['a resting', 'b ended', 'c running']);
  });

  test('[H4] counts it once: a repeated report, or one of a unit that has ended or is unknown, changes nothing', () => {
    const run = new TestedRun(steps(three));
    rest(run, 't2');
    expect(rest(run, 't2').facts).toEqual([]);
    expect(rest(run, 't3', false).facts).toEqual([]);
    run.done('t4');
    expect(rest(run, 't4').facts).toEqual([]);
    expect(rest(run, 't1').facts).toEqual([]);
    expect(rest(run, 't99').facts).toEqual([]);
  });

  test('[L5] all of them resting is no end; one that ends while it rests is counted', () => {
    const run = new TestedRun(steps(three));
    for (const task of ['t2', 't3', 't4']) rest(run, task);
    expect(run.snapshot.status).toBe('running');
    for (const task of ['t2', 't3', 't4']) run.done(task);
    expect(run.snapshot.result?.outcome).toBe('ok');
  });

  test('[L5] is stopped with the run like any other', () => {
    const run = new TestedRun(steps(three, { slots: 1 }));
    rest(run, 't2');
    run.send({ kind: 'run.cancel', by: 'someone', reason: 'enough' });
    const stopped = run.last.effects.flatMap((effect) => (effect.kind === 'task.stop' ? [effect.task] : []));
    expect(stopped.sort()).toEqual(['t2', 't3']);
    run.breaks('t2', 'cancelled');
    run.breaks('t3', 'cancelled');
    expect(run.snapshot.result?.outcome).toBe('cancelled');
  });
});

test('[RW1] a rollback into a pool keeps its units as one list, whatever pages a snapshot has, and the pool goes on', () => {
  const run = new TestedRun(
    steps(
      Array.from({ length: 600 }, (_, at) => ({ id: `u${at}` })),
      { slots: 1 },
    ),
  );
  const { seq } = run.snapshot;
  run.done('t2');
  run.rewind(seq);
  const units = run.ofKind('run.rewound').at(-1)?.state?.tasks[POOL]?.units ?? [];
  expect([units.length, units[599]?.id, units[0]?.status]).toEqual([600, 'u599', 'running']);
  expect(statuses(run).slice(0, 2)).toEqual(['u0 running', 'u1 waiting']);
  run.done('t2');
  expect(statuses(run).slice(0, 3)).toEqual(['u0 ended', 'u1 running', 'u2 waiting']);
});
