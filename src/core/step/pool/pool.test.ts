import { unitsInOrder } from '../../fold/units.ts';
import { describe, expect, test } from 'vitest';
import { taskId } from '../../model/ids.ts';
import type { Json } from '../../model/json.ts';
import type { Definition } from '../../model/definition.ts';
import { equals, isolate, literal, member, name, throwing, variable } from '../../testing/expressions.ts';
import {
  ask,
  command,
  definitionOf,
  end,
  fixed,
  items,
  pool,
  tell,
  to,
  wait,
  work,
} from '../../testing/definitions.ts';
import { TestedRun } from '../../testing/tested-run.ts';
import type { Join, PoolWork, WorkState } from '../../model/workflow.ts';

const POOL = taskId('t1');

function poolOf(what: PoolWork, parts: Partial<WorkState> & { data?: Record<string, Json> } = {}): Definition {
  const { data, ...rest } = parts;
  const states = [
    work('start', what, { transitions: [to('stop')], on: { partial: [to('stop')] }, ...rest }),
    end('stop', 'ok'),
  ];
  return definitionOf(states, { data: data ?? {} });
}

const byItem = (parts: Partial<PoolWork> = {}) => pool(items(variable('list'), command(name('item'))), parts);

const started = (run: TestedRun) =>
  run.ofKind('task.started').flatMap((fact) => (fact.unit === null ? [] : [`${fact.unit}=${fact.task}`]));

const outcomes = (run: TestedRun) => {
  const output = run.ofKind('task.ended').findLast((fact) => fact.task === POOL)?.output as {
    units: readonly { id: string; outcome: string }[];
  } | null;
  return Object.fromEntries((output?.units ?? []).map((unit) => [unit.id, unit.outcome]));
};

describe('slots and order', () => {
  test('[Q1] as many units run as there are slots, in the order they joined', () => {
    const run = new TestedRun(poolOf(pool(fixed({ a: [], b: [], c: [], d: [] }), { slots: 2 })));
    expect(started(run)).toEqual(['a=t2', 'b=t3']);
    run.done('t3');
    expect(started(run)).toEqual(['a=t2', 'b=t3', 'c=t4']);
    run.done('t2');
    run.done('t4');
    run.done('t5');
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(outcomes(run)).toEqual({ a: 'ok', b: 'ok', c: 'ok', d: 'ok' });
  });

  test('[Q1] a unit starts when all it depends on is ok', () => {
    const run = new TestedRun(poolOf(pool(fixed({ c: ['a', 'b'], a: [], b: [] }), { slots: 5 })));
    expect(started(run)).toEqual(['a=t2', 'b=t3']);
    run.done('t2');
    expect(started(run)).toHaveLength(2);
    run.done('t3');
    expect(started(run)).toEqual(['a=t2', 'b=t3', 'c=t4']);
  });

  test('[L9] units joined first start first, also when their names look like numbers', () => {
    const list = [{ id: 'build' }, { id: '10' }, { id: '2' }];
    const what = pool(items(literal(list), command(literal('x'))), { slots: 1 });
    const run = new TestedRun(poolOf(what));
    for (const task of ['t2', 't3', 't4']) run.done(task);
    expect(started(run)).toEqual(['build=t2', '10=t3', '2=t4']);
  });

  test('[PH2] an item is in scope of its unit’s work', () => {
    const run = new TestedRun(poolOf(byItem(), { data: { list: ['one', 'two'] } }));
    expect(run.effects).toEqual([
      { kind: 'command.run', task: 't2', command: 'one', okExitCodes: [0] },
      { kind: 'command.run', task: 't3', command: 'two', okExitCodes: [0] },
    ]);
  });

  test('[Q1] an item’s own id and dependencies are used', () => {
    const list = [{ id: 'late', after: ['early'] }, { id: 'early' }];
    const run = new TestedRun(poolOf(pool(items(literal(list), command(member(name('item'), 'id'))))));
    expect(started(run)).toEqual(['early=t2']);
    run.done('t2');
    expect(started(run)).toEqual(['early=t2', 'late=t3']);
  });
});

describe('every unit gets an outcome', () => {
  test('[L5] a unit whose dependency was lost is skipped, and so are those that depend on it', () => {
    const run = new TestedRun(poolOf(pool(fixed({ a: [], b: ['a'], c: ['b'], d: [] }), { join: { rule: 'any' } })));
    run.breaks('t2');
    expect(run.ofKind('unit.ended').map((fact) => [fact.unit, fact.outcome])).toEqual([
      ['b', 'skipped'],
      ['c', 'skipped'],
    ]);
    run.done('t3');
    expect(run.ofKind('task.ended').at(-1)?.outcome).toBe('partial');
    expect(outcomes(run)).toEqual({ a: 'failed', b: 'skipped', c: 'skipped', d: 'ok' });
  });

  test('[L5] outputs and reasons of all units are in the pool’s output', () => {
    const run = new TestedRun(poolOf(pool(fixed({ a: [], b: [] }), { join: { rule: 'any' } })));
    run.done('t2', 'good');
    run.breaks('t3');
    expect(run.ofKind('task.ended').at(-1)?.output).toEqual({
      units: [
        { id: 'a', outcome: 'ok', output: 'good', reason: null },
        { id: 'b', outcome: 'failed', output: null, reason: 't3 broke' },
      ],
      winner: null,
    });
  });

  test('[L5] a unit whose input cannot be computed fails alone, and the others continue', () => {
    const units = {
      kind: 'fixed',
      list: [
        { id: 'a', after: [], work: command(throwing) },
        { id: 'b', after: [], work: command() },
        { id: 'c', after: ['a'], work: command() },
      ],
    } as const;
    const run = new TestedRun(poolOf(pool(units, { slots: 1, join: { rule: 'any' } })));
    expect(started(run)).toEqual(['b=t2']);
    run.done('t2');
    expect(outcomes(run)).toEqual({ a: 'failed', b: 'ok', c: 'skipped' });
    expect(run.snapshot.status).toBe('settled');
  });

  test('[L3] a pool of which no unit could start ends at once', () => {
    const run = new TestedRun(poolOf(pool(fixed({ a: [], b: [], c: ['a'] }, command(throwing)), { slots: 1 })));
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'JOIN_FAILED' } });
    expect(outcomes(run)).toEqual({ a: 'failed', b: 'failed', c: 'skipped' });
  });

  test('[SM4] a unit that only sends a message ends at once and frees its slot', () => {
    const run = new TestedRun(poolOf(pool(fixed({ a: [], b: ['a'] }, tell('coder', literal('Hello.'))), { slots: 1 })));
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(run.ofKind('message.added')).toHaveLength(2);
    expect(outcomes(run)).toEqual({ a: 'ok', b: 'ok' });
  });

  test('[L5] a unit called __proto__ is refused, not lost', () => {
    const list = JSON.parse('[{"id":"__proto__"},{"id":"a"}]') as Json;
    const run = new TestedRun(poolOf(pool(items(literal(list)))));
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'UNIT_NAME' } });
  });

  test('[L5] a cancel gives every unit an outcome, running or waiting', () => {
    const run = new TestedRun(poolOf(pool(fixed({ a: [], b: [], c: ['a'] }), { slots: 1 })));
    run.send({ kind: 'run.cancel', by: 'someone', reason: 'enough' });
    expect(run.last.effects).toContainEqual({ kind: 'task.stop', task: 't2' });
    expect(run.ofKind('task.ended').map((fact) => [fact.task, fact.outcome])).toEqual([
      ['t2', 'cancelled'],
      ['t1', 'cancelled'],
    ]);
    expect(run.ofKind('unit.ended').map((fact) => [fact.unit, fact.outcome])).toEqual([
      ['b', 'cancelled'],
      ['c', 'cancelled'],
    ]);
    expect(run.snapshot.result?.outcome).toBe('cancelled');
    expect(run.snapshot.tasks).toEqual({});
  });

  test('[L5] a timeout of the pool stops what runs, and skips what waits', () => {
    const what = pool(fixed({ a: [], b: [], c: [] }), { slots: 2 });
    const run = new TestedRun(poolOf(what, { timeoutMs: 100, on: { timeout: [to('stop')] } }));
    expect(run.effects[0]).toEqual({ kind: 'timer.set', timer: 't1/deadline', at: 1100 });
    run.done('t2');
    run.timer('t1/deadline', 1100);
    expect(run.last.effects.filter((effect) => effect.kind === 'task.stop')).toEqual([
      { kind: 'task.stop', task: 't3' },
      { kind: 'task.stop', task: 't4' },
    ]);
    expect(run.ofKind('task.ended').map((fact) => [fact.task, fact.outcome])).toEqual([
      ['t2', 'ok'],
      ['t3', 'timeout'],
      ['t4', 'timeout'],
      ['t1', 'timeout'],
    ]);
    expect(run.path()).toEqual(['start', 'stop']);
  });

  test('[L5] answers of units that were stopped come too late and change nothing', () => {
    const run = new TestedRun(poolOf(pool(fixed({ a: [] }), {}), { timeoutMs: 100, on: { timeout: [to('hold')] } }));
    run.timer('t1/deadline', 1100);
    const before = run.snapshot;
    expect(run.done('t2').snapshot).toBe(before);
  });
});

describe('how a pool is joined', () => {
  const three = (join: Join) => new TestedRun(poolOf(pool(fixed({ a: [], b: [], c: [] }), { join })));
  const ended = (run: TestedRun) => run.ofKind('task.ended').findLast((fact) => fact.task === POOL);

  test('[PD1] all: one lost unit fails the pool, after every unit has ended', () => {
    const run = three({ rule: 'all' });
    run.breaks('t2');
    run.done('t3');
    expect(ended(run)).toBeUndefined();
    run.done('t4');
    expect(ended(run)).toMatchObject({ outcome: 'failed', failure: { code: 'JOIN_FAILED' } });
  });

  test('[PD1] any: one ok unit is enough, and the rest is reported as partial', () => {
    const run = three({ rule: 'any' });
    run.breaks('t2');
    run.breaks('t3');
    run.done('t4');
    expect(ended(run)?.outcome).toBe('partial');
  });

  test('[PD1] quorum: as many as the author wants', () => {
    const met = three({ rule: 'quorum', count: 2 });
    met.breaks('t2');
    met.done('t3');
    met.done('t4');
    expect(ended(met)?.outcome).toBe('partial');
    const missed = three({ rule: 'quorum', count: 2 });
    missed.breaks('t2');
    missed.breaks('t3');
    missed.done('t4');
    expect(ended(missed)?.outcome).toBe('failed');
  });

  test('[PD8] first: the first ok one wins, the rest is stopped and reported as cancelled', () => {
    const run = three({ rule: 'first' });
    run.breaks('t2');
    run.done('t4', 'mine');
    expect(run.last.effects).toEqual([{ kind: 'task.stop', task: 't3' }]);
    expect(ended(run)).toMatchObject({ outcome: 'partial', output: { winner: 'c' } });
    expect(outcomes(run)).toEqual({ a: 'failed', b: 'cancelled', c: 'ok' });
  });

  test('[PD8] first: units that still waited are cancelled', () => {
    const run = new TestedRun(poolOf(pool(fixed({ a: [], b: [] }), { slots: 1, join: { rule: 'first' } })));
    run.done('t2');
    expect(outcomes(run)).toEqual({ a: 'ok', b: 'cancelled' });
  });

  test('[SM5] the next conditions see the units and the winner', () => {
    const won = equals(member(name('result'), 'winner'), 'b');
    const what = pool(fixed({ a: [], b: [] }), { join: { rule: 'first' } });
    const run = new TestedRun(
      definitionOf([work('start', what, { on: { partial: [to('yes', won), to('no')] } }), end('yes'), end('no')]),
    );
    run.done('t3');
    expect(run.path()).toEqual(['start', 'yes']);
  });
});

describe('the list of items', () => {
  test('[L3] an empty list is a pool that ends at once', () => {
    const run = new TestedRun(poolOf(byItem(), { data: { list: [] } }));
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(run.path()).toEqual(['start', 'stop']);
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'ok', output: { units: [], winner: null } });
  });

  test('[L3] a list of a thousand runs completely, never more at once than there are slots', () => {
    const list = Array.from({ length: 1000 }, (_, at) => `u${at}`);
    const run = new TestedRun(poolOf(byItem({ slots: 3 }), { data: { list } }));
    for (const at of list.keys()) {
      expect(started(run)).toHaveLength(Math.min(at + 3, list.length));
      run.done(`t${at + 2}`);
    }
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(Object.values(outcomes(run))).toEqual(list.map(() => 'ok'));
  });

  test('[L5] an empty list does not meet a rule that needs a unit', () => {
    const run = new TestedRun(poolOf(byItem({ join: { rule: 'any' } }), { data: { list: [] } }));
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'JOIN_FAILED' } });
  });

  test('[L3] a value that is no list is a failure with a code', () => {
    const run = new TestedRun(poolOf(byItem(), { data: { list: 'one' } }));
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'ITEMS_NOT_A_LIST' } });
  });

  test('[L5] two units of one name are refused before either starts', () => {
    const run = new TestedRun(poolOf(byItem(), { data: { list: [{ id: 'a' }, { id: 'a' }] } }));
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'UNIT_DUPLICATE' } });
    expect(run.effects).toEqual([]);
  });

  test('[L5] a unit that waits for an unknown one is refused', () => {
    const run = new TestedRun(poolOf(byItem(), { data: { list: [{ id: 'a', after: ['b'] }] } }));
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'UNIT_UNKNOWN' } });
  });

  test('[L3] units that wait for each other are refused instead of waiting for ever', () => {
    const list = [{ id: 'a', after: ['c'] }, { id: 'b', after: ['a'] }, { id: 'c', after: ['b'] }, { id: 'd' }];
    const run = new TestedRun(poolOf(byItem(), { data: { list } }));
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'UNIT_CYCLE' } });
    expect(run.snapshot.result?.failure?.message).toContain('a, b, c');
    const self = new TestedRun(poolOf(byItem(), { data: { list: [{ id: 'a', after: ['a'] }] } }));
    expect(self.snapshot.result?.failure?.code).toBe('UNIT_CYCLE');
  });

  test('[SM5] a list only the isolate can compute is waited for', () => {
    const run = new TestedRun(poolOf(pool(items(isolate('list()'), command(name('item'))))));
    expect(run.last.effects).toMatchObject([{ kind: 'script.run', key: 'start#1/items', wants: 'value' }]);
    run.evaluated(['x']);
    expect(run.last.effects).toEqual([{ kind: 'command.run', task: 't2', command: 'x', okExitCodes: [0] }]);
  });
});

describe('growing', () => {
  const growing = byItem({ grow: name('result'), slots: 1 });

  test('[Q1] units that a unit adds join the pool, and each unit is asked once', () => {
    const run = new TestedRun(poolOf(growing, { data: { list: ['root'] } }));
    run.done('t2', ['left', 'right']);
    expect(run.ofKind('units.added').at(-1)).toMatchObject({
      by: '0',
      units: [
        { id: '1', after: [], item: 'left' },
        { id: '2', after: [], item: 'right' },
      ],
    });
    run.done('t3', []);
    run.done('t4', []);
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(run.ofKind('units.added').map((fact) => fact.by)).toEqual([null, '0', '1', '2']);
    expect(Object.keys(outcomes(run))).toEqual(['0', '1', '2']);
  });

  test('[L5] growth that names an existing unit fails the pool, and every unit still gets an outcome', () => {
    const run = new TestedRun(poolOf({ ...growing, slots: 2 }, { data: { list: [{ id: 'a' }, { id: 'b' }] } }));
    run.done('t2', [{ id: 'b' }]);
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'UNIT_DUPLICATE' } });
    expect(run.ofKind('task.ended').map((fact) => fact.task)).toEqual(['t2', 't3', 't1']);
  });

  test('[SM5] growth that the isolate computes is waited for, and may be answered in any order', () => {
    const what = byItem({ grow: isolate('more()') });
    const run = new TestedRun(poolOf(what, { data: { list: ['a', 'b'] } }));
    run.done('t3');
    expect(run.last.effects).toMatchObject([{ kind: 'script.run', key: 'start#1/grow/1' }]);
    run.done('t2');
    run.evaluated([], 'start#1/grow/0');
    expect(run.snapshot.status).toBe('running');
    run.evaluated([], 'start#1/grow/1');
    expect(run.snapshot.result?.outcome).toBe('ok');
  });

  test('[L3] an item that grows in a pool with a fixed list has no work, which is an error', () => {
    const grow = {
      kind: 'conditional',
      test: equals(name('unit'), 'a'),
      then: literal([{ id: 'extra' }]),
      otherwise: literal([]),
    } as const;
    const what = pool(fixed({ a: [] }), { grow, join: { rule: 'any' } });
    const run = new TestedRun(poolOf(what));
    run.done('t2');
    expect(outcomes(run)).toEqual({ a: 'ok', extra: 'failed' });
    expect(run.snapshot.status).toBe('settled');
  });

  test('[L3] a pool that grows without end by itself is stopped with a code', () => {
    const what = pool(items(literal([1]), command(throwing)), { grow: literal([1, 2]), slots: 500 });
    const run = new TestedRun(poolOf(what));
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'TOO_MANY_UNITS' } });
    expect(run.snapshot.result?.failure?.message).toContain('grow by more than 2000');
  });
});

describe('units from outside', () => {
  const offer = (id: string, after: readonly string[] = []) =>
    ({ kind: 'units.offered', task: POOL, units: [{ id, after, item: `do ${id}` }] }) as const;

  test('[Q1] join a pool of items while it runs', () => {
    const run = new TestedRun(poolOf(byItem({ slots: 1 }), { data: { list: ['a'] } }));
    run.send(offer('extra', ['0']));
    expect(run.ofKind('units.added').at(-1)).toMatchObject({ by: null, units: [{ id: 'extra' }] });
    run.done('t2');
    expect(run.last.effects).toEqual([{ kind: 'command.run', task: 't3', command: 'do extra', okExitCodes: [0] }]);
    run.done('t3');
    expect(outcomes(run)).toEqual({ 0: 'ok', extra: 'ok' });
  });

  test('[L5] are refused after the pool was ordered to stop and waits for its children', () => {
    const children = pool({
      kind: 'items',
      items: variable('list'),
      work: { kind: 'call', workflow: 'child', input: {} },
    });
    const run = new TestedRun(poolOf(children, { data: { list: ['a'] } }));
    run.send({ kind: 'run.cancel', by: 'someone', reason: 'enough' });
    expect(run.snapshot.tasks[POOL]?.stopping).not.toBeNull();
    expect(run.send(offer('extra')).facts).toEqual([]);
  });

  test('[L3] are not taken when their name is in use, they wait for nothing real, or the pool is no such pool', () => {
    const run = new TestedRun(poolOf(byItem(), { data: { list: ['a'] } }));
    for (const event of [offer('0'), offer('x', ['y']), offer('x', ['x']), { ...offer('x'), task: taskId('t2') }]) {
      const before = run.snapshot;
      expect(run.send(event)).toEqual({ facts: [], snapshot: before, effects: [] });
    }
    const fixedPool = new TestedRun(poolOf(pool(fixed({ a: [] }))));
    expect(fixedPool.send(offer('x')).facts).toEqual([]);
  });

  test('[L5] do not push aside the items that the pool still waits for', () => {
    const run = new TestedRun(poolOf(pool(items(isolate('list()'), command(name('item'))))));
    expect(run.send(offer('x')).facts).toEqual([]);
    run.evaluated(['a', 'b']);
    expect(unitsInOrder(run.snapshot.tasks[POOL]).map(({ id }) => id)).toEqual(['0', '1']);
  });
});

describe('kinds of units', () => {
  test('[SM4] units may be turns, waits, questions and child runs', () => {
    const list = [
      { id: 'turn', after: [], work: ask('coder') },
      { id: 'wait', after: [], work: wait(50) },
      { id: 'ask', after: [], work: { kind: 'ask', question: literal('Sure?'), choices: [] } },
      { id: 'call', after: [], work: { kind: 'call', workflow: 'child', input: { n: literal(1) } } },
    ] as const;
    const run = new TestedRun(poolOf(pool({ kind: 'fixed', list }, { slots: 4 })));
    expect(run.effects.map((effect) => effect.kind)).toEqual(['actor.call', 'timer.set', 'child.start']);
    run.says('t2', 'said');
    run.timer('t3/wait', 1050);
    run.send({ kind: 'question.answered', question: 't4', answer: 'yes', by: 'someone' });
    run.done('t5', 'child result');
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(run.snapshot.childResult).toBe('child result');
    expect(outcomes(run)).toEqual({ turn: 'ok', wait: 'ok', ask: 'ok', call: 'ok' });
  });
});
