import { describe, expect, test } from 'vitest';
import type { RequestSize } from '../../record/compaction-fact.ts';
import { compactionText } from '../../look/compaction-text.ts';
import { taskId } from '../../model/ids.ts';
import { CONTEXT_OVERFLOW } from '../../model/outcome.ts';
import { ask, definitionOf, end, to, work } from '../../testing/definitions.ts';
import { answered, call, failure, TestedRun } from '../../testing/tested-run.ts';
import { viewFor } from '../../look/view.ts';

const SIZE: RequestSize = {
  model: 'm',
  window: 1000,
  usable: 900,
  tokens: 900,
  density: 1,
  fixed: 100,
  mayEdit: false,
};

function running(): TestedRun {
  return new TestedRun(definitionOf([work('start', ask('coder'), { transitions: [to('stop')] }), end()]));
}

/** The host measured the request under way and did not send it. */
function isFull(run: TestedRun, size: Partial<RequestSize> = {}): void {
  const { call = 1, attempt = 1 } = run.snapshot.tasks['t1']?.turn ?? {};
  run.send({ kind: 'request.full', task: taskId('t1'), call, attempt, size: { ...SIZE, ...size } });
}

function summarises(run: TestedRun, left: number): void {
  const { call = 1, attempt = 1 } = run.snapshot.tasks['t1']?.turn ?? {};
  run.send({ ...answered({ task: 't1', content: 'Summary.', call, attempt }), summary: { left } });
}

describe('a summary in parts', () => {
  test('[A6] a part that covers nothing stops the turn', () => {
    const run = running();
    isFull(run);
    summarises(run, 7);
    summarises(run, 5);
    expect(run.snapshot.result).toBeNull();
    summarises(run, 5);
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'NO_PROGRESS' } });
    expect(run.snapshot.result?.failure?.message).toContain('none of the 5 messages');
  });
});

describe('the tries of a call that was made smaller', () => {
  /** Whether the call is tried again after this failure. */
  function fails(run: TestedRun, kind: 'bad-reply' | 'timeout' | 'server'): boolean {
    run.fails('t1', failure(kind));
    const retryAt = run.ofKind('call.failed').at(-1)?.retryAt ?? null;
    if (retryAt !== null) run.timer('t1/retry', retryAt);
    return retryAt !== null;
  }

  function overflows(run: TestedRun): void {
    const { call = 1, attempt = 1 } = run.snapshot.tasks['t1']?.turn ?? {};
    const refused = failure('bad-request', 'too large', { code: CONTEXT_OVERFLOW });
    run.send({
      kind: 'call.failed',
      task: taskId('t1'),
      call,
      attempt,
      failure: refused,
      size: { ...SIZE, tokens: SIZE.window + 1 },
    });
    const turn = run.snapshot.tasks['t1']?.turn;
    if (turn?.phase === 'waiting') run.timer('t1/retry', turn.retryAt ?? run.now);
  }

  test.each(['bad-reply', 'timeout'] as const)(
    '[A6] a first request for a summary that fails with %s is tried again',
    (kind) => {
      const run = running();
      isFull(run);
      expect([fails(run, kind), fails(run, kind)]).toEqual([true, false]);
    },
  );

  test('[A6] refusals as too large, half parts and requests that were not sent take no try from other failures', () => {
    const run = running();
    isFull(run, { tokens: 100 });
    overflows(run);
    overflows(run);
    overflows(run);
    expect(run.snapshot.tasks['t1']?.turn).toMatchObject({ attempt: 5, summary: { halvings: 2 } });
    const tried = ['server', 'server', 'server', 'server'] as const;
    expect(tried.map((kind) => fails(run, kind))).toEqual([true, true, true, false]);
  });

  test('[A6] the next call has all its tries, and those of the last one are no credit', () => {
    const run = running();
    isFull(run);
    summarises(run, 0);
    expect([fails(run, 'timeout'), fails(run, 'timeout')]).toEqual([true, false]);
  });
});

test('[A6] other agents read the summary in place of the messages that it replaces', () => {
  const run = running();
  run.says('t1', 'The parser lacks tabs.', { toolCalls: [call('c1', 'grep')] });
  run.toolReturns('t1', 'c1');
  isFull(run);
  summarises(run, 0);
  run.says('t1', 'Done.');
  const [context] = Object.values(run.snapshot.contexts);
  const nothing = { items: [], length: 0 };
  const seen = viewFor('reviewer', context?.messages ?? nothing, nothing).map(({ content }) => content);
  expect(seen).toContain('[troupe] 2 messages of coder were summarised:\n\nSummary.');
  expect(seen).toContain('[coder] Done.');
});

test('[A6] the line about a compaction names the usable part, not only the window', () => {
  const [task, size] = [taskId('t1'), { ...SIZE, model: 'small', window: 6000, usable: 3800, tokens: 3650 }];
  expect(compactionText({ kind: 'compaction.started', task, call: 1, attempt: 2, reason: 'near', size })).toBe(
    'compacting: the request has about 3.6k of the 3.8k tokens it may fill (small has a window of 6k); the agent is asked for a summary',
  );
  expect(compactionText({ kind: 'compaction.started', task, call: 1, attempt: 2, reason: 'overflow', size })).toBe(
    'compacting: the endpoint refused a request of about 3.6k tokens as too large (small has a window of 6k, of which a request may fill 3.8k); the agent is asked for a summary',
  );
});

describe('a pause while a request was measured', () => {
  test.each([
    ['its summary', {}],
    ['the request without old results', { mayEdit: true, tokens: 650 }],
    ['a request that fits as it is', { tokens: 100 }],
  ])('[A6] [L10] %s is requested when the run continues, and not before', (_, size) => {
    const run = running();
    run.says('t1', 'I look.', { toolCalls: [call('c1', 'grep')] });
    run.toolReturns('t1', 'c1', 'x'.repeat(2000));
    run.says('t1', 'And again.', { toolCalls: [call('c2', 'grep')] });
    run.toolReturns('t1', 'c2', 'x'.repeat(2000));
    run.pause();
    const calls = () => run.effects.filter(({ kind }) => kind === 'actor.call').length;
    const before = calls();
    isFull(run, size);
    expect(calls()).toBe(before);
    run.goOn();
    expect(calls()).toBe(before + 1);
    expect(run.snapshot.tasks['t1']?.turn).toMatchObject({ phase: 'calling', attempt: 2 });
  });
});
