import { describe, expect, test } from 'vitest';
import { taskId } from '../model/ids.ts';
import { openEffects } from './recover.ts';
import { ask, command, definitionOf, end, fixed, pool, to, work } from '../testing/definitions.ts';
import { isolate, literal, member, name, variable } from '../testing/expressions.ts';
import { done, TestedRun } from '../testing/tested-run.ts';
import { foldRecords } from '../fold/fold.ts';
import { validateWorkflow } from '../check/validate.ts';
import type { ChoiceWork, ComputeWork, PoolWork, Work, WorkState } from '../model/workflow.ts';

const compute = (parts: Partial<ComputeWork> = {}): ComputeWork => ({
  kind: 'compute',
  program: 'count',
  input: variable('list'),
  ...parts,
});

function doing(what: Work, parts: Partial<WorkState> = {}, data = {}): TestedRun {
  const states = [work('start', what, { transitions: [to('stop')], ...parts }), end('stop', 'ok', name('result'))];
  return new TestedRun(definitionOf(states, { data }));
}

describe('compute', () => {
  test('[L9] a program of the host is ordered with its input, and its output is the result', () => {
    const run = doing(compute(), {}, { list: [1, 2] });
    expect(run.effects).toEqual([{ kind: 'compute.run', task: 't1', program: 'count', input: [1, 2] }]);
    run.done('t1', { sum: 3 });
    expect(run.ofKind('task.ended')).toMatchObject([{ outcome: 'ok', output: { sum: 3 } }]);
    expect(run.snapshot.status).toBe('settled');
  });

  test('[L6] one that was not answered is ordered again', () => {
    const run = doing(compute({ agent: 'coder' }), {}, { list: [] });
    expect(openEffects(run.definition, run.snapshot)).toMatchObject([{ kind: 'compute.run', agent: 'coder' }]);
  });

  test('[L2] what its program keeps is in the data from then on, and the journal has only what changed', () => {
    const run = doing(compute({ keeps: 'book' }), {}, { list: [], book: { pages: ['a'], title: 't' } });
    expect(run.effects).toMatchObject([{ kind: 'compute.run', keeps: 'book' }]);
    run.send({ ...done('t1', 'ok', 'x'), kept: { pages: ['a', 'b'], title: 't' } });
    expect(run.ofKind('task.ended')).toMatchObject([
      { output: 'x', patch: { inside: { book: { inside: { pages: { add: ['b'] } } } } } },
    ]);
    expect(run.snapshot.data['book']).toEqual({ pages: ['a', 'b'], title: 't' });
    expect(foldRecords(run.records)?.data).toEqual(run.snapshot.data);
  });

  test('[L2] it is kept also if the program failed, but not if it was stopped', () => {
    const failing = doing(compute({ keeps: 'book' }), {}, { list: [] });
    failing.send({ ...done('t1', 'failed', null), kept: [1] });
    expect(failing.snapshot.data['book']).toEqual([1]);
    const stopped = doing(compute({ keeps: 'book' }), { timeoutMs: 5 }, { list: [] });
    stopped.now += 10;
    stopped.send({ kind: 'timer.fired', timer: 't1/deadline' });
    stopped.send({ ...done('t1', 'ok', null), kept: [1] });
    expect(stopped.snapshot.data).toEqual({ list: [] });
  });

  test('[L2] it can see how the state before ended', () => {
    const states = [
      work('start', compute(), { transitions: [to('then')] }),
      work('then', compute(), { transitions: [to('stop')] }),
      end('stop', 'ok'),
    ];
    const run = new TestedRun(definitionOf(states, { data: { list: [] } }));
    expect(run.snapshot.last).toBeNull();
    run.done('t1', { sum: 3 });
    expect(run.snapshot.last).toEqual({ state: 'start', outcome: 'ok', output: { sum: 3 }, failure: null });
  });

  test('[U6] a unit of a pool keeps nothing', () => {
    const units: PoolWork['units'] = {
      kind: 'fixed',
      list: [{ id: 'a', after: [], work: compute({ keeps: 'book' }) }],
    };
    const { workflow } = doing(pool(units, { slots: 1 }), {}, { list: [] }).definition;
    expect(validateWorkflow(workflow)).toMatchObject([{ code: 'KEEPS_IN_POOL' }]);
  });

  test('[U6] the workspace of an unknown agent is an error', () => {
    const { workflow } = doing(compute({ agent: 'ghost' }), {}, { list: [] }).definition;
    expect(validateWorkflow(workflow)).toMatchObject([{ code: 'AGENT_UNKNOWN' }]);
  });
});

describe('choice', () => {
  const choice: ChoiceWork = {
    kind: 'choice',
    by: variable('who'),
    cases: { coder: ask('coder') as ComputeWork, test: command() as ComputeWork },
  };

  test('[ST5] work is chosen when it starts', () => {
    expect(doing(choice, {}, { who: 'test' }).effects).toMatchObject([{ kind: 'command.run' }]);
    expect(doing(choice, {}, { who: 'coder' }).effects).toMatchObject([{ kind: 'actor.call', agent: 'coder' }]);
  });

  test.each([['toString'], ['missing'], [null], [7]])('[L3] an unknown case (%j) is a named failure', (who) => {
    expect(doing(choice, {}, { who }).snapshot.result).toMatchObject({
      outcome: 'failed',
      failure: { code: 'CASE_UNKNOWN', message: expect.stringContaining('coder, test') },
    });
  });

  test('[U6] every case is looked at', () => {
    const bad = { ...choice, cases: { ...choice.cases, more: ask('ghost') as ComputeWork } };
    const { workflow } = doing(bad, {}, { who: 'test' }).definition;
    expect(validateWorkflow(workflow)).toMatchObject([{ code: 'AGENT_UNKNOWN' }]);
  });
});

describe('a timeout that is computed', () => {
  test.each([
    [300, 1300],
    [-5, 1000],
    [null, null],
  ])('[ST3] %j milliseconds', (left, deadline) => {
    const run = doing(command(), { timeout: variable('left') }, { left });
    expect(run.ofKind('task.started')).toMatchObject([{ deadline }]);
  });

  test('[ST3] the shorter of both counts', () => {
    const run = doing(command(), { timeout: variable('left'), timeoutMs: 100 }, { left: 300 });
    expect(run.ofKind('task.started')).toMatchObject([{ deadline: 1100 }]);
  });

  test('[L3] one that is no number is a named failure', () => {
    const run = doing(command(), { timeout: variable('left') }, { left: 'soon' });
    expect(run.snapshot.result?.failure?.code).toBe('TIMEOUT_NOT_A_NUMBER');
  });

  test('[L8] the isolate may be asked for it', () => {
    const run = doing(command(), { timeout: isolate('40 + 2') });
    run.evaluated(42);
    expect(run.ofKind('task.started')).toMatchObject([{ deadline: 1042 }]);
  });
});

describe('phases in a pool', () => {
  const units: PoolWork['units'] = {
    kind: 'fixed',
    list: [
      { id: 'plan', after: [], work: compute({ input: literal('plan') }) },
      { id: 'build', after: ['plan'], work: compute({ input: member(member(name('units'), 'plan'), 'output') }) },
    ],
  };

  test('[PH1] a unit reads the results of those before it', () => {
    const run = doing(pool(units, { slots: 2 }));
    run.done('t2', 'specs/plan.md');
    expect(run.effects.at(-1)).toMatchObject({ kind: 'compute.run', input: 'specs/plan.md' });
  });

  test('[PH2] a unit that finds nothing to do is skipped, and no unit waits for it forever', () => {
    const run = doing(pool(units, { slots: 2 }));
    run.send(done('t2', 'skipped', null));
    expect(run.effects.at(-1)).toMatchObject({ kind: 'compute.run', input: null });
    run.done('t3');
    expect(run.ofKind('task.ended').at(-1)).toMatchObject({
      task: taskId('t1'),
      outcome: 'ok',
      output: { units: [{ id: 'plan', outcome: 'skipped' }, { id: 'build' }] },
    });
  });

  test('[L5] a unit that is skipped because another one failed is still lost', () => {
    const run = doing(pool(fixed({ a: [], b: ['a'] }), { slots: 2 }));
    run.breaks('t2');
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'JOIN_FAILED' } });
  });
});

test('[PH4] the outputs that a turn owes are in the journal', () => {
  const outputs = literal([{ name: 'plan', form: 'file', path: 'specs/a.md', type: 'plan' }, { name: 7 }, 'odd']);
  const run = doing({ ...(ask('coder') as Extract<Work, { kind: 'turn' }>), outputs });
  expect(run.ofKind('task.started')).toMatchObject([
    { work: { outputs: [{ name: 'plan', form: 'file', path: 'specs/a.md', type: 'plan' }] } },
  ]);
});
