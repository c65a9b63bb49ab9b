import { describe, expect, test } from 'vitest';
import { describeLimit, LIMIT_CODES } from './limits.ts';
import { limitQuestion } from '../record/question-name.ts';
import { literal } from '../testing/expressions.ts';
import { ask, command, definitionOf, end, fixed, pool, route, to, work } from '../testing/definitions.ts';
import { answered, call, TestedRun } from '../testing/tested-run.ts';
import type { Limits } from './workflow.ts';

const speaking = (limits: Partial<Limits>) =>
  new TestedRun(definitionOf([work('start', ask('coder'), { transitions: [to('start')] })], { limits }));

const raise = (limit: 'iterations' | 'toolRounds' | 'durationMs' | 'tokens' | 'usd', allowed: number) =>
  ({ kind: 'limit.raise', limit, allowed, by: 'someone' }) as const;

const answer = (run: TestedRun, text: string | number) => {
  const { paused } = run.snapshot;
  const question = paused === null ? 'limit/tokens/1' : limitQuestion(paused);
  return { kind: 'question.answered', question, answer: text, by: 'someone' } as const;
};

const calls = (run: TestedRun) => run.effects.filter((effect) => effect.kind === 'actor.call').length;

describe('tokens and money', () => {
  test('[U5] the call that reaches the limit is the last: the run pauses before the next', () => {
    const run = speaking({ tokens: 20 });
    run.says('t1', 'one', { tokens: 10 });
    expect(run.snapshot.paused).toBeNull();
    run.says('t2', 'two', { tokens: 10 });
    expect(run.snapshot.paused).toMatchObject({ limit: 'tokens', allowed: 20, used: 20, state: 'start' });
    expect(calls(run)).toBe(2);
    expect(run.snapshot.status).toBe('running');
  });

  test('[U5] a turn that uses too much stops between its own calls too', () => {
    const run = speaking({ tokens: 15 });
    run.says('t1', '', { tokens: 20, toolCalls: [call('c1', 'grep')] });
    run.toolReturns('t1', 'c1');
    expect(run.snapshot.paused?.limit).toBe('tokens');
    expect(run.last.effects).toEqual([]);
    run.send(raise('tokens', 100));
    expect(run.last.effects).toEqual([{ kind: 'actor.call', task: 't1', agent: 'coder', call: 2, attempt: 1 }]);
  });

  test('[U5] money is counted the same way', () => {
    const run = speaking({ usd: 1 });
    run.says('t1', 'one', { costUsd: 0.6 });
    run.says('t2', 'two', { costUsd: 0.6 });
    expect(run.snapshot.paused).toMatchObject({ limit: 'usd', allowed: 1, used: 1.2 });
  });

  test('[U5] usage of a child run counts too', () => {
    const states = [
      work('start', { kind: 'call', workflow: 'child', input: {} }, { transitions: [to('speak')] }),
      work('speak', ask('coder'), { transitions: [to('stop')] }),
      end(),
    ];
    const run = new TestedRun(definitionOf(states, { limits: { tokens: 50 } }));
    const usage = { inputTokens: 40, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 3 };
    run.send({ kind: 'task.done', task: 't1' as never, outcome: 'ok', output: null, failure: null, usage, costUsd: 2 });
    expect(run.snapshot.usage).toEqual(usage);
    expect(run.snapshot.costUsd).toBe(2);
    expect(run.snapshot.paused?.limit).toBe('tokens');
  });

  test('[U5] a sum with an unknown price stays unknown', () => {
    const run = speaking({ usd: 1 });
    run.says('t1', 'one', { costUsd: null });
    run.says('t2', 'two', { costUsd: 5 });
    expect(run.snapshot.costUsd).toBeNull();
  });

  test('[U5] a pool pauses as a whole, and what runs comes in meanwhile', () => {
    const units = fixed({ a: [], b: [], c: [] }, ask('coder'));
    const run = new TestedRun(
      definitionOf([work('start', pool(units, { slots: 2 }), { transitions: [to('stop')] }), end()], {
        limits: { tokens: 10 },
      }),
    );
    run.says('t2', 'one', { tokens: 10 });
    expect(run.snapshot.paused?.limit).toBe('tokens');
    run.says('t3', 'two', { tokens: 10 });
    expect(run.snapshot.usage.inputTokens).toBe(20);
    expect(run.last.effects).toEqual([]);
    run.send(raise('tokens', 21));
    expect(run.last.effects).toEqual([{ kind: 'actor.call', task: 't4', agent: 'coder', call: 1, attempt: 1 }]);
    run.says('t4', 'three');
    expect(run.snapshot.result?.outcome).toBe('ok');
  });
});

describe('tool rounds', () => {
  test('[L10] a turn calls the model exactly as often as the limit says, then the run pauses', () => {
    const run = speaking({ toolRounds: 2 });
    run.says('t1', '', { toolCalls: [call('c1', 'grep')] });
    run.toolReturns('t1', 'c1');
    run.says('t1', '', { toolCalls: [call('c2', 'grep')] });
    run.toolReturns('t1', 'c2');
    expect(run.snapshot.paused).toMatchObject({ limit: 'toolRounds', allowed: 2, used: 2 });
    expect(calls(run)).toBe(2);
    run.send(raise('toolRounds', 3));
    expect(calls(run)).toBe(3);
    run.says('t1', 'Done.');
    expect(run.ofKind('task.ended')[0]?.outcome).toBe('ok');
  });

  test('[L10] an answer without tools in the last round is an answer, not a limit', () => {
    const run = speaking({ toolRounds: 1 });
    run.says('t1', 'Done.');
    expect(run.snapshot.paused).toBeNull();
  });
});

describe('time', () => {
  const timed = () =>
    new TestedRun(
      definitionOf([work('start', command(), { transitions: [to('next')] }), route('next', [to('stop')]), end()], {
        limits: { durationMs: 500 },
      }),
    );

  test('[L10] the run sets its own alarm, and pauses when it rings', () => {
    const run = timed();
    expect(run.effects).toContainEqual({ kind: 'timer.set', timer: 'run/duration', at: 1500 });
    expect(run.timer('run/duration', 1499).facts).toEqual([]);
    run.timer('run/duration', 1500);
    expect(run.snapshot.paused).toMatchObject({ limit: 'durationMs', allowed: 500, used: 500 });
    run.done('t1');
    expect(run.path()).toEqual(['start']);
    run.send(raise('durationMs', 900));
    expect(run.last.effects).toEqual([{ kind: 'timer.clear', timer: 'run/duration' }]);
    expect(run.path()).toEqual(['start', 'next', 'stop']);
  });

  test('[L10] an alarm that is not set never rings', () => {
    const run = new TestedRun(definitionOf([work('start', command(), { transitions: [] })]));
    expect(run.timer('run/duration', 99_999).facts).toEqual([]);
  });

  test('[L10] raising another limit does not continue a run that is out of time', () => {
    const run = timed();
    run.timer('run/duration', 1500);
    run.send(raise('iterations', 100));
    expect(run.snapshot.limits.iterations).toBe(100);
    expect(run.snapshot.paused?.limit).toBe('durationMs');
  });

  test('[L10] the time in which another limit is asked about does not count, and the alarm is set again when the run continues', () => {
    const states = [work('start', ask('coder'), { transitions: [to('start')] })];
    const run = new TestedRun(definitionOf(states, { limits: { durationMs: 500, tokens: 5 } }));
    run.says('t1', 'one');
    expect(run.snapshot.paused?.limit).toBe('tokens');
    expect(run.timer('run/duration', 1600).facts).toEqual([]);
    run.send(raise('tokens', 100));
    expect(run.last.effects).toContainEqual({ kind: 'timer.set', timer: 'run/duration', at: 2100 });
    run.timer('run/duration', 2100);
    expect(run.snapshot.paused?.limit).toBe('durationMs');
  });

  test('[L10] "continue" gives as much time again from the moment of the answer, however late it is', () => {
    const run = timed();
    run.timer('run/duration', 1500);
    run.now = 100_000;
    run.send(answer(run, 'continue'));
    expect(run.snapshot.limits.durationMs).toBe(500 + 500);
    expect(run.last.effects).toContainEqual({ kind: 'timer.set', timer: 'run/duration', at: 100_500 });
  });

  test('[L10] the alarm is put away when the run settles, however it settles', () => {
    const cleared = { kind: 'timer.clear', timer: 'run/duration' } as const;
    const done = timed();
    done.done('t1');
    expect(done.last.effects).toContainEqual(cleared);
    const cancelled = timed();
    cancelled.send({ kind: 'run.cancel', by: 'someone', reason: 'enough' });
    expect(cancelled.last.effects).toContainEqual(cleared);
    const stopped = timed();
    stopped.timer('run/duration', 1500);
    stopped.send(answer(stopped, 'stop'));
    expect(stopped.last.effects).toContainEqual(cleared);
  });
});

describe('the answer of a person', () => {
  test('[L10] "stop" ends the run with the limit’s own code', () => {
    const run = speaking({ tokens: 5 });
    run.says('t1', 'one');
    run.send(answer(run, 'stop'));
    expect(run.snapshot.result).toMatchObject({ outcome: 'quota', failure: { code: 'MAX_TOKENS', class: 'limit' } });
  });

  test('[L5] "stop" stops work in progress, and every task and unit gets an outcome', () => {
    const units = fixed({ a: [], b: [], c: [] }, ask('coder'));
    const run = new TestedRun(
      definitionOf([work('start', pool(units, { slots: 2 }), { transitions: [to('stop')] }), end()], {
        limits: { tokens: 10 },
      }),
    );
    run.says('t2', 'one', { tokens: 10 });
    run.send(answer(run, 'stop'));
    expect(run.last.effects).toContainEqual({ kind: 'task.stop', task: 't3' });
    expect(run.snapshot.tasks).toEqual({});
    expect(run.ofKind('unit.ended').map((fact) => [fact.unit, fact.outcome])).toEqual([['c', 'cancelled']]);
    expect(run.ofKind('task.ended').map((fact) => [fact.task, fact.outcome])).toEqual([
      ['t2', 'ok'],
      ['t3', 'cancelled'],
      ['t1', 'cancelled'],
    ]);
    expect(run.snapshot.result?.outcome).toBe('quota');
  });

  test('[L10] a number is the new limit, "continue" adds the same amount again, anything else is no answer', () => {
    const numbered = speaking({ tokens: 5 });
    numbered.says('t1', 'one', { tokens: 7 });
    numbered.send(answer(numbered, 30));
    expect(numbered.snapshot.limits.tokens).toBe(30);
    const more = speaking({ tokens: 5 });
    more.says('t1', 'one', { tokens: 7 });
    more.send(answer(more, 'continue'));
    expect(more.snapshot.limits.tokens).toBe(12);
    expect(more.snapshot.paused).toBeNull();
    expect(calls(more)).toBe(2);
    const unclear = speaking({ tokens: 5 });
    unclear.says('t1', 'one', { tokens: 7 });
    for (const text of ['perhaps', '', '4', -1]) expect(unclear.send(answer(unclear, text)).facts).toEqual([]);
    expect(unclear.snapshot.limits.tokens).toBe(5);
  });

  test('[L10] the answer to one pause is not taken for the next', () => {
    const run = speaking({ tokens: 5 });
    run.says('t1', 'one', { tokens: 7 });
    const first = answer(run, 'continue');
    run.send(first);
    run.says('t2', 'two', { tokens: 7 });
    expect(run.snapshot.paused?.allowed).toBe(12);
    expect(run.send(first).facts).toEqual([]);
  });

  test('[L10] a limit of zero can be continued', () => {
    const run = speaking({ tokens: 0 });
    run.send(answer(run, 'continue'));
    expect(run.snapshot.paused).toBeNull();
    expect(calls(run)).toBe(1);
  });

  test('[U5] a limit in money pauses when the price is unknown, until a person continues without the limit', () => {
    const run = speaking({ usd: 1 });
    run.send({ ...answered({ task: 't1', content: 'one' }), costUsd: null });
    expect(run.snapshot.paused).toMatchObject({ limit: 'usd', isUnknown: true });
    run.send(answer(run, 'continue'));
    run.send({ ...answered({ task: 't2', content: 'two' }), costUsd: null });
    expect(run.snapshot.paused).toBeNull();
  });

  test('[L10] a deadline does not run while the run is paused', () => {
    const states = [work('start', pool(fixed({ a: [], b: [] }, ask('coder')), { slots: 1 }), { timeoutMs: 100 })];
    const run = new TestedRun(definitionOf(states, { limits: { tokens: 5 } }));
    run.now = 1040;
    run.says('t2', 'one', { tokens: 7 });
    expect(run.snapshot.paused?.limit).toBe('tokens');
    expect(run.timer('t1/deadline', 5000).facts).toEqual([]);
    run.send(raise('tokens', 100));
    expect(run.last.effects).toContainEqual({ kind: 'timer.set', timer: 't1/deadline', at: 5060 });
    run.timer('t1/deadline', 5060);
    expect(run.snapshot.result?.outcome).toBe('timeout');
  });

  test('[L2] numbers that JSON cannot keep are no limits', () => {
    const run = speaking({ tokens: 5 });
    run.says('t1', 'one', { tokens: 7 });
    for (const allowed of [Number.NaN, Infinity]) expect(run.send(raise('tokens', allowed)).facts).toEqual([]);
    expect(run.send(answer(run, 'Infinity')).facts).toEqual([]);
  });

  test('[L3] an answer to another limit, or when nothing waits, changes nothing', () => {
    const run = speaking({ tokens: 5 });
    expect(run.send(answer(run, 'stop')).facts).toEqual([]);
    run.says('t1', 'one');
    expect(run.send({ ...answer(run, 'stop'), question: 'limit/usd/7' }).facts).toEqual([]);
    expect(run.send(raise('tokens', 5)).facts).toEqual([]);
    expect(run.send(raise('tokens', 4)).facts).toEqual([]);
    expect(run.snapshot.paused?.limit).toBe('tokens');
  });

  test('[L10] a raise that is still below the usage pauses again at once', () => {
    const run = speaking({ tokens: 5 });
    run.says('t1', 'one', { tokens: 50 });
    run.send(raise('tokens', 20));
    expect(run.snapshot.paused).toMatchObject({ allowed: 20, used: 50 });
    expect(calls(run)).toBe(1);
  });
});

test('[L10] every limit has a code and a sentence that names its numbers', () => {
  const reached = { kind: 'limit.reached', allowed: 3000, used: 3000, state: 'build' } as const;
  const limits = ['iterations', 'toolRounds', 'durationMs', 'tokens', 'usd'] as const;
  expect(limits.map((limit) => LIMIT_CODES[limit])).toEqual([
    'MAX_ITERATIONS',
    'MAX_TOOL_ROUNDS',
    'MAX_DURATION',
    'MAX_TOKENS',
    'MAX_USD',
  ]);
  for (const limit of limits) expect(describeLimit({ ...reached, limit })).toContain('3');
  expect(literal(describeLimit({ ...reached, limit: 'iterations' }))).toEqual(
    literal('State build was entered 3000 times, which is the limit.'),
  );
});
