import { describe, expect, test } from 'vitest';
import { FAILURE_CLASSES, type FailureClass } from '../model/outcome.ts';
import { DEFAULT_RETRY, retryDelayMs } from './retry.ts';
import { ask, definitionOf, end, to, work } from '../testing/definitions.ts';
import { failure, TestedRun } from '../testing/tested-run.ts';

const attempt = (number: number, key = 'run/t1/1') => ({ number, key });

describe('how long to wait', () => {
  test('[L9] the same attempt of the same call waits the same, another call waits differently', () => {
    const first = retryDelayMs(DEFAULT_RETRY, failure('server'), attempt(1));
    expect(retryDelayMs(DEFAULT_RETRY, failure('server'), attempt(1))).toBe(first);
    const others = ['run/t2/1', 'run/t3/1', 'run/t4/1'].map((key) =>
      retryDelayMs(DEFAULT_RETRY, failure('server'), attempt(1, key)),
    );
    expect(new Set([first, ...others]).size).toBeGreaterThan(1);
  });

  test('[PH6] the wait doubles each time, lies between half and all of it, and stops growing at the longest', () => {
    const policy = { tries: { server: 20 }, baseMs: 1000, maxMs: 8000 };
    for (let number = 1; number < 10; number += 1) {
      const full = Math.min(8000, 1000 * 2 ** (number - 1));
      const delay = retryDelayMs(policy, failure('server'), attempt(number)) ?? -1;
      expect(delay).toBeGreaterThanOrEqual(full / 2);
      expect(delay).toBeLessThanOrEqual(full);
    }
  });

  test('[PH6] a provider’s own wish is honoured when it is longer', () => {
    expect(retryDelayMs(DEFAULT_RETRY, failure('rate', '', { retryAfterMs: 90_000 }), attempt(1))).toBe(90_000);
    expect(retryDelayMs(DEFAULT_RETRY, failure('rate', '', { retryAfterMs: 1 }), attempt(1))).toBeGreaterThan(1);
  });

  test('[L3] a provider that asks for more than fifteen minutes is not waited for', () => {
    const wishing = (retryAfterMs: number) =>
      retryDelayMs(DEFAULT_RETRY, failure('rate', '', { retryAfterMs }), attempt(1));
    expect(wishing(15 * 60_000)).toBe(15 * 60_000);
    expect(wishing(15 * 60_000 + 1)).toBeNull();
    expect(wishing(Number.POSITIVE_INFINITY)).toBeNull();
  });

  test.each([
    ['a wish below zero', {}, -5000],
    ['a wish that is no number', {}, Number.NaN],
    ['a base below zero', { baseMs: -1000 }, 0],
    ['a base that is no number', { baseMs: Number.NaN }, 0],
    ['a base without end', { baseMs: Number.POSITIVE_INFINITY, maxMs: Number.POSITIVE_INFINITY }, 0],
    ['a longest wait that is no number', { maxMs: Number.NaN }, 0],
  ])('[L9] %s gives a wait that can be journaled', (_what, changes, retryAfterMs) => {
    const delay = retryDelayMs({ ...DEFAULT_RETRY, ...changes }, failure('rate', '', { retryAfterMs }), attempt(1));
    expect(delay).toBeGreaterThanOrEqual(DEFAULT_RETRY.baseMs / 2);
    expect(delay).toBeLessThanOrEqual(DEFAULT_RETRY.baseMs);
  });

  test('[Q5] permanent failures are tried once, passing ones several times', () => {
    const tries = (kind: FailureClass) => {
      let number = 1;
      while (retryDelayMs(DEFAULT_RETRY, failure(kind), attempt(number)) !== null) number += 1;
      return number;
    };
    const expected = { rate: 6, overload: 6, server: 4, network: 4, timeout: 2, 'bad-reply': 2, crash: 2, session: 6 };
    for (const kind of FAILURE_CLASSES)
      expect([kind, tries(kind)]).toEqual([kind, { ...expected }[kind as 'rate'] ?? 1]);
  });

  test('[Q5] a quota is tried again a minute after its end, also where the end is now', () => {
    const waits = (retryAfterMs: number, policy = DEFAULT_RETRY) =>
      retryDelayMs(policy, failure('quota', '', { retryAfterMs }), attempt(1));
    expect(waits(3_600_000)).toBe(3_660_000);
    expect(waits(0)).toBe(60_000);
    expect(waits(0, { ...DEFAULT_RETRY, maxMs: Number.NaN })).toBe(60_000);
    expect(waits(5000, { ...DEFAULT_RETRY, maxMs: 10 })).toBe(5010);
    expect([waits(-1), waits(Number.NaN), waits(Number.POSITIVE_INFINITY)]).toEqual([null, null, null]);
  });

  test('[PH6] a policy may give a class its own number of tries', () => {
    const policy = { tries: { auth: 3, rate: 1 }, baseMs: 10, maxMs: 10 };
    expect(retryDelayMs(policy, failure('auth'), attempt(2))).not.toBeNull();
    expect(retryDelayMs(policy, failure('auth'), attempt(3))).toBeNull();
    expect(retryDelayMs(policy, failure('rate'), attempt(1))).toBeNull();
    expect(retryDelayMs(policy, failure('server'), attempt(3))).not.toBeNull();
  });
});

describe('a call that failed', () => {
  const policy = { tries: { server: 3 }, baseMs: 100, maxMs: 100 };
  const definition = (own = policy) =>
    definitionOf([work('start', ask('coder'), { transitions: [to('stop')], retry: own }), end()]);

  test('[PH6] is tried again when its time has come, with the next attempt’s number', () => {
    const run = new TestedRun(definition());
    run.fails('t1', failure('server'));
    const retryAt = run.ofKind('call.failed')[0]?.retryAt ?? 0;
    expect(retryAt).toBeGreaterThan(1000);
    expect(run.last.effects).toEqual([{ kind: 'timer.set', timer: 't1/retry', at: retryAt }]);
    run.timer('t1/retry', retryAt);
    expect(run.facts.at(-1)).toEqual({ kind: 'call.retried', task: 't1', call: 1, attempt: 2 });
    expect(run.last.effects).toEqual([
      { kind: 'timer.clear', timer: 't1/retry' },
      { kind: 'actor.call', task: 't1', agent: 'coder', call: 1, attempt: 2 },
    ]);
    run.says('t1', 'At last.');
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(run.snapshot.failures.length).toBe(1);
  });

  test('[L2] a timer that rings too early, twice, or after the retry began changes nothing', () => {
    const run = new TestedRun(definition());
    run.fails('t1', failure('server'));
    const retryAt = run.ofKind('call.failed')[0]?.retryAt ?? 0;
    expect(run.timer('t1/retry', retryAt - 1).facts).toEqual([]);
    run.timer('t1/retry', retryAt);
    expect(run.timer('t1/retry', retryAt + 1).facts).toEqual([]);
    expect(run.ofKind('call.retried')).toHaveLength(1);
  });

  test('[L3] after the last try the turn fails with the last failure', () => {
    const run = new TestedRun(definition());
    for (const message of ['first', 'second', 'third']) {
      run.fails('t1', failure('server', message));
      run.timer('t1/retry', run.ofKind('call.failed').at(-1)?.retryAt ?? run.now);
    }
    expect(run.ofKind('call.failed').map((fact) => fact.attempt)).toEqual([1, 2, 3]);
    expect(run.ofKind('call.failed').at(-1)?.retryAt).toBeNull();
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { message: 'third' } });
  });

  test('[Q5] waits for a quota leave every other failure all its tries, and have their own count', () => {
    const run = new TestedRun(definition());
    const fails = (kind: FailureClass) => {
      run.fails('t1', failure(kind, kind, kind === 'quota' ? { retryAfterMs: 1000 } : {}));
      const retryAt = run.ofKind('call.failed').at(-1)?.retryAt ?? null;
      if (retryAt !== null) run.timer('t1/retry', retryAt);
      return retryAt !== null;
    };
    const kinds = ['quota', 'quota', 'quota', 'server', 'quota', 'server', 'server'] as const;
    expect(kinds.map((kind) => fails(kind))).toEqual([true, true, true, true, true, true, false]);
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { message: 'server' } });
    const next = new TestedRun(definition());
    next.fails('t1', failure('quota', '', { retryAfterMs: 1000 }));
    next.timer('t1/retry', next.ofKind('call.failed')[0]?.retryAt ?? 0);
    next.says('t1', '', { toolCalls: [{ id: 'c1', name: 'grep', arguments: {} }] });
    next.toolReturns('t1', 'c1');
    expect(next.snapshot.tasks['t1']?.turn).toMatchObject({ call: 2, attempt: 1, quotaWaits: 0 });
  });

  test('[PH6] the project’s policy holds where the state has none', () => {
    const once = { tries: { server: 1 }, baseMs: 1, maxMs: 1 };
    const states = [work('start', ask('coder'), { transitions: [to('stop')] }), end()];
    const run = new TestedRun(definitionOf(states, { retry: once }));
    run.fails('t1', failure('server'));
    expect(run.snapshot.result?.outcome).toBe('failed');
    const builtIn = new TestedRun(definitionOf(states));
    builtIn.fails('t1', failure('server'));
    expect(builtIn.snapshot.status).toBe('running');
  });

  test('[PH6] each further call of the turn has all its tries', () => {
    const run = new TestedRun(definition());
    run.fails('t1', failure('server'));
    run.timer('t1/retry', run.ofKind('call.failed')[0]?.retryAt ?? 0);
    run.says('t1', '', { toolCalls: [{ id: 'c1', name: 'grep', arguments: {} }] });
    run.toolReturns('t1', 'c1');
    expect(run.snapshot.tasks['t1']?.turn).toMatchObject({ call: 2, attempt: 1, phase: 'calling' });
  });

  test('[L10] a retry that falls due while the run is paused waits for the raise', () => {
    const run = new TestedRun(
      definitionOf([work('start', ask('coder'), { transitions: [to('stop')], retry: policy }), end()], {
        limits: { durationMs: 10 },
      }),
    );
    run.fails('t1', failure('server'));
    const retryAt = run.ofKind('call.failed')[0]?.retryAt ?? 0;
    run.timer('run/duration', 1010);
    expect(run.snapshot.paused?.limit).toBe('durationMs');
    expect(run.timer('t1/retry', retryAt).effects).toEqual([]);
    run.send({ kind: 'limit.raise', limit: 'durationMs', allowed: 10_000, by: 'someone' });
    expect(run.last.effects).toContainEqual({ kind: 'actor.call', task: 't1', agent: 'coder', call: 1, attempt: 2 });
  });
});
