import { describe, expect, test } from 'vitest';
import { foldRecords } from '../fold/fold.ts';
import { openEffects, recover } from './recover.ts';
import { isRunPaused, pausedSince } from './paused.ts';
import { literal } from '../testing/expressions.ts';
import { ask, command, definitionOf, end, fixed, pool, to, wait, work } from '../testing/definitions.ts';
import { plainSnapshot } from '../testing/plain-snapshot.ts';
import { call, failure, TestedRun } from '../testing/tested-run.ts';
import type { Limits, Work, WorkState } from '../model/workflow.ts';

/** Two states, to show whether the run moves on. */
function doing(what: Work, parts: Partial<WorkState> = {}, limits: Partial<Limits> = {}): TestedRun {
  const states = [
    work('start', what, { transitions: [to('next')], ...parts }),
    work('next', command(), { transitions: [to('stop')] }),
    end(),
  ];
  return new TestedRun(definitionOf(states, { limits }));
}

const timers = (run: TestedRun) =>
  run.last.effects.flatMap((effect) => (effect.kind === 'timer.set' ? [[effect.timer, effect.at] as const] : []));

describe('[PA1] work in progress ends, and nothing new starts', () => {
  test('a command ends, and the next state is not entered until the run continues', () => {
    const run = doing(command());
    expect(run.pause().facts).toEqual([{ kind: 'run.paused', by: 'someone', reason: 'lunch' }]);
    expect(run.done('t1').facts.map(({ kind }) => kind)).toEqual(['task.ended']);
    expect(run.last.effects).toEqual([]);
    expect(run.goOn().facts.map(({ kind }) => kind)).toEqual(['run.continued', 'state.entered', 'task.started']);
  });

  test('an agent’s tools are run, but the model is not called again', () => {
    const run = doing(ask('coder'));
    run.pause();
    expect(run.says('t1', '', { toolCalls: [call('c1', 'grep')] }).effects).toMatchObject([{ kind: 'tool.run' }]);
    expect(run.toolReturns('t1', 'c1').effects).toEqual([]);
    expect(run.goOn().effects).toMatchObject([{ kind: 'actor.call', call: 2 }]);
  });

  test('a unit that has ended frees its slot, which stays empty meanwhile', () => {
    const run = doing(pool(fixed({ a: [], b: [], c: [] }), { slots: 1 }));
    run.pause();
    run.done('t2');
    expect(run.ofKind('task.started')).toHaveLength(2);
    run.goOn();
    expect(run.ofKind('task.started')).toHaveLength(3);
  });

  test('a retry that falls due, a wait that ends and an answer are kept until then', () => {
    const retry = doing(ask('coder'));
    retry.fails('t1', failure('server'));
    retry.pause();
    expect(retry.timer('t1/retry', 900_000).facts).toEqual([]);
    expect(retry.goOn().effects).toContainEqual({
      kind: 'actor.call',
      task: 't1',
      agent: 'coder',
      call: 1,
      attempt: 2,
    });
    const waiting = doing(wait(100));
    waiting.pause();
    waiting.timer('t1/wait', 1100);
    expect(waiting.path()).toEqual(['start']);
    const asking = doing({ kind: 'ask', question: literal('Sure?'), choices: [] });
    asking.pause();
    asking.answers('t1', 'yes');
    expect(asking.path()).toEqual(['start']);
    expect(asking.goOn().snapshot.current.state).toBe('next');
  });

  test('a child that ends while its parent is paused is accepted, with its cost', () => {
    const run = doing({ kind: 'call', workflow: 'child', input: {} });
    run.pause();
    const usage = { inputTokens: 7, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 };
    run.send({
      kind: 'task.done',
      task: run.ofKind('task.started')[0]?.task ?? ('' as never),
      outcome: 'ok',
      output: 3,
      failure: null,
      usage,
      costUsd: 1,
    });
    expect(run.snapshot).toMatchObject({ childResult: 3, costUsd: 1, current: { state: 'start' } });
  });
});

describe('[PA2] a pause that is no pause changes nothing', () => {
  test('pausing twice, resuming twice, and pausing a run that has ended or is stopping', () => {
    const run = doing(command());
    expect(run.goOn().facts).toEqual([]);
    run.pause();
    expect(run.pause().facts).toEqual([]);
    run.goOn();
    expect(run.goOn().facts).toEqual([]);
    const child = doing({ kind: 'call', workflow: 'child', input: {} });
    child.send({ kind: 'run.cancel', by: 'someone', reason: 'enough' });
    expect(child.snapshot.stopping).not.toBeNull();
    expect(child.pause().facts).toEqual([]);
    run.done('t1');
    run.done('t2');
    expect(run.pause().facts).toEqual([]);
    expect(run.snapshot.status).toBe('settled');
  });
});

describe('[PA5] a failure to fix is part of the pause', () => {
  const full = { code: 'DISK_FULL', message: 'There is no space left.', class: 'config' } as const;
  const halt = { kind: 'run.pause', by: 'troupe', reason: full.message, failure: full } as const;

  test('it is recorded once, also when a person paused the run before, and cleared when the run continues', () => {
    const run = doing(command());
    run.pause();
    run.now = 2000;
    expect(run.send(halt).facts).toEqual([{ ...halt, kind: 'run.paused' }]);
    expect(run.snapshot.held).toEqual({ by: 'troupe', reason: full.message, since: 1000, failure: full });
    expect([run.send(halt).facts, run.pause().facts]).toEqual([[], []]);
    run.goOn();
    expect(run.snapshot.held).toBeNull();
    expect(plainSnapshot(foldRecords(run.records))).toEqual(plainSnapshot(run.snapshot));
  });

  test('interrupted work stays open, and is done again on recovery', () => {
    const run = doing(command());
    run.send(halt);
    const open = openEffects(run.definition, run.snapshot).filter(({ kind }) => kind === 'command.run');
    expect(open).toHaveLength(1);
    expect(recover(run.definition, run.snapshot, { epoch: 2, at: 5000 }).effects).toEqual(expect.arrayContaining(open));
  });
});

describe('[PA3] standing still counts for no deadline and no limit on time', () => {
  test('a deadline is later by the length of the pause, and is set again', () => {
    const run = doing(command(), { timeoutMs: 500 });
    run.now = 1200;
    run.pause();
    expect(run.timer('t1/deadline', 1500).facts).toEqual([]);
    run.now = 9000;
    run.goOn();
    expect(timers(run)).toEqual([['t1/deadline', 1500 + 7800]]);
    expect(run.timer('t1/deadline', 9299).facts).toEqual([]);
    expect(run.timer('t1/deadline', 9300).facts[0]).toMatchObject({ kind: 'task.ended', outcome: 'timeout' });
  });

  test('the duration of a run is the time it worked', () => {
    const run = doing(command(), {}, { durationMs: 1000 });
    run.now = 1400;
    run.pause();
    expect(run.timer('run/duration', 2000).facts).toEqual([]);
    run.now = 50_000;
    run.goOn();
    expect(run.snapshot.clock.pausedMs).toBe(48_600);
    expect(timers(run)).toEqual([['run/duration', 50_600]]);
    expect(run.timer('run/duration', 50_599).facts).toEqual([]);
    expect(run.timer('run/duration', 50_600).facts[0]).toMatchObject({ kind: 'limit.reached', used: 1000 });
  });

  test.for([
    ['the limit is raised first', ['raise', 'go on']],
    ['the person lets it go on first', ['go on', 'raise']],
  ] as const)('a pause that overlaps one at a limit counts once, whether %s', ([, order]) => {
    const run = doing(ask('coder'), { timeoutMs: 800 }, { toolRounds: 1 });
    run.now = 1100;
    run.says('t1', '', { toolCalls: [call('c1', 'grep')] });
    run.toolReturns('t1', 'c1');
    expect(run.snapshot.paused).toMatchObject({ since: 1100 });
    run.now = 1300;
    run.pause();
    expect(pausedSince(run.snapshot)).toBe(1100);
    for (const [index, what] of order.entries()) {
      run.now = 2000 + 1000 * index;
      if (what === 'raise') run.send({ kind: 'limit.raise', limit: 'toolRounds', allowed: 5, by: 'someone' });
      else run.goOn();
      expect(isRunPaused(run.snapshot)).toBe(index === 0);
    }
    expect(run.snapshot.clock.pausedMs).toBe(1900);
    expect(run.snapshot.tasks['t1']?.deadline).toBe(1800 + 1900);
  });

  test('a limit that is answered while the run is held leaves it standing', () => {
    const run = doing(ask('coder'), {}, { tokens: 5 });
    run.says('t1', '', { toolCalls: [call('c1', 'grep')] });
    run.toolReturns('t1', 'c1');
    const question = `limit/tokens/${run.snapshot.paused?.seq}`;
    run.pause();
    expect(run.answers(question, 'continue').effects).toEqual([]);
    expect(run.snapshot).toMatchObject({ paused: null, held: { by: 'someone', reason: 'lunch' } });
    expect(run.goOn().effects).toMatchObject([{ kind: 'actor.call', call: 2 }]);
  });
});

describe('[PA4] a paused run survives and can be stopped', () => {
  test('the fold of its records is paused as well, and recovery starts nothing new', () => {
    const run = doing(command(), { timeoutMs: 500 });
    run.pause();
    run.done('t1');
    const folded = foldRecords(run.records);
    expect(plainSnapshot(folded)).toEqual(plainSnapshot(run.snapshot));
    expect(openEffects(run.definition, folded)).toEqual([]);
    expect(recover(run.definition, folded, { epoch: 2, at: 5000 })).toMatchObject({
      facts: [{ kind: 'run.resumed' }],
      effects: [],
    });
  });

  test('cancelling it ends both reasons for the pause, and the run settles', () => {
    const run = doing(command());
    run.pause();
    run.send({ kind: 'run.cancel', by: 'someone', reason: 'enough' });
    expect(run.snapshot).toMatchObject({ status: 'settled', held: null, result: { outcome: 'cancelled' } });
  });

  test('a run on its way out is not asked whether it may take longer', () => {
    const run = doing({ kind: 'call', workflow: 'child', input: {} }, {}, { durationMs: 100 });
    run.send({ kind: 'run.cancel', by: 'someone', reason: 'enough' });
    expect(run.timer('run/duration', 1100).facts).toEqual([]);
  });
});
