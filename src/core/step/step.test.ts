import { describe, expect, test } from 'vitest';
import { taskId } from '../model/ids.ts';
import { literal, variable } from '../testing/expressions.ts';
import { ask, command, definitionOf, end, route, to, wait, work } from '../testing/definitions.ts';
import { done, failure, TestedRun } from '../testing/tested-run.ts';
import { step } from './step.ts';
import type { Work } from '../model/workflow.ts';

const doing = (what: Work, parts = {}) =>
  definitionOf([work('start', what, { transitions: [to('stop')], ...parts }), end()]);

const nothing = (run: TestedRun) => ({ facts: [], snapshot: run.snapshot, effects: [] });

describe('each kind of work', () => {
  test('[L4] a command is run by the engine, and its output is the result', () => {
    const run = new TestedRun(doing(command(literal('npm test'))));
    expect(run.effects).toEqual([{ kind: 'command.run', task: 't1', command: 'npm test', okExitCodes: [0] }]);
    run.done('t1', { exitCode: 0 });
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'ok', output: { exitCode: 0 } });
    expect(run.snapshot.result?.outcome).toBe('ok');
  });

  test('[SM4] a child workflow gets its evaluated input, and its result is sub_workflow_result', () => {
    const child: Work = { kind: 'call', workflow: 'child', input: { n: variable('n') } };
    const run = new TestedRun(
      definitionOf(
        [
          work('start', child, { transitions: [to('stop')] }),
          end('stop', 'ok', { kind: 'name', name: 'sub_workflow_result' }),
        ],
        {
          data: { n: 4 },
        },
      ),
    );
    expect(run.effects).toEqual([{ kind: 'child.start', task: 't1', workflow: 'child', input: { n: 4 } }]);
    run.done('t1', { sum: 9 });
    expect(run.snapshot.childResult).toEqual({ sum: 9 });
    expect(run.snapshot.result?.output).toEqual({ sum: 9 });
  });

  test('[SM4] a child that failed leaves no result behind', () => {
    const run = new TestedRun(doing({ kind: 'call', workflow: 'child', input: {} }, { on: { failed: [to('stop')] } }));
    run.send({ ...done('t1', 'failed', 'half'), failure: failure('logic') });
    expect(run.snapshot.childResult).toBeNull();
  });

  test('[Q3] a question waits only for a person', () => {
    const run = new TestedRun(doing({ kind: 'ask', question: literal('Sure?'), choices: ['yes', 'no'] }));
    expect(run.effects).toEqual([{ kind: 'question.look', task: 't1', question: 't1' }]);
    expect(run.snapshot.tasks['t1']?.work).toEqual({ kind: 'ask', question: 'Sure?', choices: ['yes', 'no'] });
    run.send({ kind: 'question.answered', question: 't1', answer: 'yes', by: 'someone' });
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'ok', output: 'yes' });
    expect(run.ofKind('question.answered')[0]?.by).toBe('someone');
  });

  test('[L9] a wait is an alarm at a time that was computed once', () => {
    const run = new TestedRun(doing(wait(250)));
    expect(run.effects).toEqual([{ kind: 'timer.set', timer: 't1/wait', at: 1250 }]);
    run.timer('t1/wait', 1250);
    expect(run.snapshot.result?.outcome).toBe('ok');
  });

  test('[L3] a wait for something that is no time is a failure with a name', () => {
    for (const ms of [-5, 'soon', null]) {
      const run = new TestedRun(doing(wait(ms)));
      expect(run.effects).toEqual([]);
      expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'WAIT_NOT_A_NUMBER' } });
    }
  });

  test('[PD7] a merge is ordered with the agent whose workspace is merged', () => {
    const run = new TestedRun(doing({ kind: 'merge', agent: 'coder' }));
    expect(run.effects).toEqual([{ kind: 'merge.run', task: 't1', agent: 'coder' }]);
    run.done('t1');
    expect(run.snapshot.result?.outcome).toBe('ok');
  });
});

describe('timeouts', () => {
  test('[L5] work that takes too long is stopped and ends as timeout', () => {
    const run = new TestedRun(doing(command(), { timeoutMs: 100, on: { timeout: [to('stop')] } }));
    expect(run.effects).toContainEqual({ kind: 'timer.set', timer: 't1/deadline', at: 1100 });
    expect(run.timer('t1/deadline', 1099)).toEqual(nothing(run));
    run.timer('t1/deadline', 1100);
    expect(run.last.effects).toContainEqual({ kind: 'task.stop', task: 't1' });
    expect(run.ofKind('task.ended')[0]).toMatchObject({
      outcome: 'timeout',
      failure: { code: 'TIMEOUT', class: 'timeout', message: 'start took longer than 100 ms.' },
    });
    expect(run.path()).toEqual(['start', 'stop']);
  });

  test('[L5] a turn that times out between two tries clears the alarm of its retry', () => {
    const run = new TestedRun(doing(ask('coder'), { timeoutMs: 100 }));
    run.fails('t1', failure('server'));
    run.timer('t1/deadline', 1100);
    expect(run.last.effects).toContainEqual({ kind: 'timer.clear', timer: 't1/retry' });
    expect(run.snapshot.result?.outcome).toBe('timeout');
  });

  test('[L2] work that is done in time clears its alarm, and a late alarm changes nothing', () => {
    const run = new TestedRun(
      definitionOf([
        work('start', command(), { transitions: [to('next')], timeoutMs: 100 }),
        work('next', wait(500), { transitions: [to('stop')] }),
        end(),
      ]),
    );
    run.done('t1');
    expect(run.last.effects).toContainEqual({ kind: 'timer.clear', timer: 't1/deadline' });
    expect(run.timer('t1/deadline', 1100)).toEqual(nothing(run));
  });
});

describe('cancel', () => {
  test('[L10] ends the run at once, stops work in progress, and records who and why', () => {
    const run = new TestedRun(doing(ask('coder'), { timeoutMs: 100 }));
    run.send({ kind: 'run.cancel', by: 'someone', reason: 'changed my mind' });
    expect(run.last.facts.map((fact) => fact.kind)).toEqual([
      'run.cancelled',
      'run.stopping',
      'task.ended',
      'run.settled',
    ]);
    expect(run.last.effects).toEqual([
      { kind: 'task.stop', task: 't1' },
      { kind: 'timer.clear', timer: 't1/deadline' },
    ]);
    expect(run.snapshot.result).toMatchObject({ outcome: 'cancelled', failure: { code: 'CANCELLED' } });
    expect(run.snapshot.result?.failure?.message).toContain('changed my mind');
    expect(run.snapshot).toMatchObject({ status: 'settled', paused: null });
  });

  test('[L10] also ends a run that is paused', () => {
    const run = new TestedRun(definitionOf([route('start', [to('start')])]));
    expect(run.snapshot.paused).not.toBeNull();
    run.send({ kind: 'run.cancel', by: 'someone', reason: 'loops' });
    expect(run.snapshot.result?.outcome).toBe('cancelled');
  });

  test('[L10] a handler for cancelled work is not asked when the whole run is cancelled', () => {
    const run = new TestedRun(doing(command(), { on: { cancelled: [to('start')] } }));
    run.send({ kind: 'run.cancel', by: 'someone', reason: 'enough' });
    expect(run.path()).toEqual(['start']);
    expect(run.snapshot.status).toBe('settled');
  });
});

describe('events that are stale', () => {
  test('[L2] a settled run is inert: the very same snapshot comes back', () => {
    const run = new TestedRun(doing(command()));
    run.done('t1');
    const settled = run.snapshot;
    for (const event of [done('t1', 'ok', null), { kind: 'run.cancel', by: 'x', reason: '' } as const]) {
      const again = step(run.definition, settled, { event, at: 5000 });
      expect(again).toEqual({ facts: [], snapshot: settled, effects: [] });
      expect(again.snapshot).toBe(settled);
    }
  });

  test('[L2] results of other tasks, unknown questions and unknown alarms change nothing', () => {
    const run = new TestedRun(doing(command()));
    const stale = [
      done('t9', 'ok', null),
      { kind: 'timer.fired', timer: 't9/deadline' },
      { kind: 'timer.fired', timer: 't1/deadline' },
      { kind: 'timer.fired', timer: 't1/retry' },
      { kind: 'timer.fired', timer: 't1/wait' },
      { kind: 'timer.fired', timer: 'nonsense' },
      { kind: 'question.answered', question: 't1', answer: 'yes', by: 'x' },
      { kind: 'question.answered', question: 't9', answer: 'yes', by: 'x' },
      { kind: 'tool.finished', task: taskId('t1'), toolCall: 'c1', content: '', isError: false, ms: 0 },
    ] as const;
    for (const event of stale) {
      const before = run.snapshot;
      expect(run.send(event)).toEqual({ facts: [], snapshot: before, effects: [] });
      expect(run.snapshot).toBe(before);
    }
  });

  test('[L2] an alarm of a wait that rings too early changes nothing', () => {
    const run = new TestedRun(doing(wait(250)));
    expect(run.timer('t1/wait', 1249)).toEqual(nothing(run));
  });

  test('[L5] a turn, a wait, a question and a pool cannot be declared done from outside', () => {
    const ways: readonly Work[] = [
      ask('coder'),
      wait(50),
      { kind: 'ask', question: literal('Sure?'), choices: [] },
      {
        kind: 'pool',
        units: { kind: 'fixed', list: [{ id: 'a', after: [], work: command() }] },
        slots: 1,
        join: { rule: 'all' },
        grow: null,
      },
    ];
    for (const what of ways) {
      const run = new TestedRun(doing(what));
      expect(run.done('t1')).toEqual(nothing(run));
    }
  });

  test('[L3] ids that every object has are not mistaken for tasks', () => {
    const run = new TestedRun(doing(command()));
    for (const id of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(run.done(id)).toEqual(nothing(run));
      expect(run.timer(`${id}/wait`)).toEqual(nothing(run));
      expect(run.says(id, 'hello')).toEqual(nothing(run));
      expect(run.send({ kind: 'question.answered', question: id, answer: 1, by: 'x' })).toEqual(nothing(run));
      expect(run.send({ kind: 'units.offered', task: taskId(id), units: [] })).toEqual(nothing(run));
    }
  });

  test('[SM9] a state may be called like something every object has', () => {
    const run = new TestedRun(definitionOf([route('start', [to('constructor')]), end('constructor')]));
    expect(run.ofKind('state.entered')[1]).toMatchObject({ state: 'constructor', visit: 1 });
    expect(run.snapshot.result?.outcome).toBe('ok');
  });
});

test('[L9] the same definition, snapshot and event give the same step, however often', () => {
  const run = new TestedRun(doing(ask('coder')));
  const before = run.snapshot;
  const event = { kind: 'call.failed', task: taskId('t1'), call: 1, attempt: 1, failure: failure('server') } as const;
  const [one, two] = [1, 2].map(() => step(run.definition, before, { event, at: 2000 }));
  expect(two).toEqual(one);
});
