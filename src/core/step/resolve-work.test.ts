import { describe, expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import type { Definition } from '../model/definition.ts';
import { definitionOf, end, items, pool, to, wait, work } from '../testing/definitions.ts';
import { literal } from '../testing/expressions.ts';
import { TestedRun } from '../testing/tested-run.ts';
import type { Parameter, UnitWork, ValueType, Work } from '../model/workflow.ts';

const AT = { line: 4, column: 7 };

/** A run whose only state does this work, written in a file, so that failures can say where. */
function runOf(what: Work, library: Definition['library'] = {}): TestedRun {
  const definition = definitionOf([work('start', what, { transitions: [to('stop')], at: AT }), end()]);
  return new TestedRun({ ...definition, workflow: { ...definition.workflow, file: 'w.yaml' }, library });
}

const failureOf = (run: TestedRun) => run.snapshot.result?.failure;

describe('a wait', () => {
  test.for([0, 0.5, 250])('[L9] of %s ms ends that much later', (ms) => {
    const run = runOf(wait(ms));
    expect(run.last.effects).toEqual([{ kind: 'timer.set', timer: 't1/wait', at: 1000 + ms }]);
  });

  test.for<Json>(['5 minutes', '500', '', null, true, -1, [5], { ms: 5 }])(
    '[L3] of %j is a failure that names the state and its line, not a missing wait',
    (ms) => {
      const run = runOf(wait(ms));
      expect(run.last.effects).toEqual([]);
      expect(run.snapshot.result?.outcome).toBe('failed');
      expect(failureOf(run)).toEqual({
        code: 'WAIT_NOT_A_NUMBER',
        message: `The wait of state start (w.yaml:4:7) must be a number of milliseconds, zero or more; it is ${JSON.stringify(ms)}.`,
        class: 'script',
      });
    },
  );
});

describe('the inputs of a sub-workflow', () => {
  const parameter = (name: string, type: ValueType, required = true): Parameter => ({
    name,
    type,
    description: '',
    required,
  });
  const called = (...inputs: readonly Parameter[]): Definition['library'] => ({
    inner: { ...definitionOf([end()]).workflow, name: 'inner', inputs },
  });
  const call = (input: Readonly<Record<string, Json>>): UnitWork => ({
    kind: 'call',
    workflow: 'inner',
    input: Object.fromEntries(Object.entries(input).map(([name, value]) => [name, literal(value)])),
  });

  test('[SM4] that fit go to the child as they are', () => {
    const input = { text: 'a', number: 1, flag: false, object: { a: 1 }, list: [1], any: 0 };
    const library = called(
      parameter('text', 'string'),
      parameter('number', 'number'),
      parameter('flag', 'boolean'),
      parameter('object', 'object'),
      parameter('list', 'array'),
      parameter('any', 'any'),
      parameter('more', 'number', false),
    );
    const run = runOf(call(input), library);
    expect(run.last.effects).toEqual([{ kind: 'child.start', task: 't1', workflow: 'inner', input }]);
  });

  test.for<Readonly<Record<string, Json>>>([{ task: null }, {}])(
    '[L3] are missed before the child starts, if their value is %j',
    (input) => {
      const run = runOf(call(input), called(parameter('task', 'string')));
      expect(run.last.effects).toEqual([]);
      expect(failureOf(run)).toMatchObject({
        code: 'INPUT_MISSING',
        message: 'The input "task" (string) of inner, which state start (w.yaml:4:7) calls, came out empty.',
        class: 'script',
      });
    },
  );

  test.for<[ValueType, Json, string]>([
    ['string', 5, 'text; it is 5'],
    ['number', '5', 'a number; it is "5"'],
    ['boolean', 'true', 'true or false; it is "true"'],
    ['object', [1], 'an object; it is [1]'],
    ['array', { a: 1 }, 'a list; it is {"a":1}'],
  ])('[L3] of type %s are not given as %j', ([type, value, expected]) => {
    const run = runOf(call({ task: value }), called(parameter('task', type)));
    expect(run.last.effects).toEqual([]);
    expect(failureOf(run)).toEqual({
      code: 'INPUT_TYPE',
      message: `The input "task" of inner, which state start (w.yaml:4:7) calls, must be ${expected}.`,
      class: 'script',
    });
  });

  test('[SM4] may be empty where they are not required, but not of another type', () => {
    const library = called(parameter('note', 'string', false));
    expect(runOf(call({ note: null }), library).last.effects).toHaveLength(1);
    expect(failureOf(runOf(call({ note: 5 }), library))?.code).toBe('INPUT_TYPE');
  });

  test('[L5] are checked for each unit of a pool', () => {
    const inner: UnitWork = { kind: 'call', workflow: 'inner', input: { task: { kind: 'name', name: 'item' } } };
    const library = called(parameter('task', 'string'));
    const run = runOf(pool(items(literal(['good', 7]), inner)), library);
    expect(run.effects.filter((effect) => effect.kind === 'child.start')).toHaveLength(1);
    expect((run.snapshot.tasks['t1']?.units?.flat() ?? []).map(({ status, reason }) => [status, reason])).toEqual([
      ['running', null],
      ['ended', expect.stringContaining('must be text; it is 7')],
    ]);
  });
});
