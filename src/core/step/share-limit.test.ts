import { describe, expect, test } from 'vitest';
import { openQuestions } from '../look/open-questions.ts';
import { runId, taskId } from '../model/ids.ts';
import { NO_USAGE, totalTokens } from '../model/usage.ts';
import { ask, definitionOf, end, to, work } from '../testing/definitions.ts';
import { TestedRun } from '../testing/tested-run.ts';
import { areSharesNew, shareOf, spentShare } from './share-limit.ts';

const CHILD = { kind: 'call', workflow: 'child', input: {} } as const;
const T1 = taskId('t1');

const parentOf = (limits: { readonly tokens?: number; readonly usd?: number }): TestedRun =>
  new TestedRun(definitionOf([work('start', CHILD, { transitions: [to('stop')] }), end()]), { limits });

/** A child whose parent left it so many tokens, at its first call. */
const childWith = (tokens: number): TestedRun => {
  const code = work('code', ask('coder'), { transitions: [to('code')] });
  return new TestedRun(definitionOf([code, end()]), { parent: runId('parent'), limits: { tokens } });
};

const used = (tokens: number) => ({ usage: { ...NO_USAGE, inputTokens: tokens, calls: 1 }, costUsd: 0.25 });

const report = (run: TestedRun, tokens: number, allowed?: number) =>
  run.send({
    kind: 'child.spent',
    child: T1,
    ...used(tokens),
    ...(allowed === undefined ? {} : { wants: { limit: 'tokens', allowed } }),
  });

describe('[U5] what a child spends while it works', () => {
  test('is counted once, whether it is reported again or with its end', () => {
    const run = parentOf({ tokens: 100 });
    report(run, 30);
    expect(report(run, 30).facts).toEqual([]);
    report(run, 50);
    expect(totalTokens(run.snapshot.usage)).toBe(50);
    expect(shareOf(run.snapshot, T1, 'tokens')).toBe(100);
    const ended = { outcome: 'ok', output: null, failure: null, workspaces: {} } as const;
    run.send({ kind: 'child.settled', child: T1, ...ended, ...used(70) });
    expect([totalTokens(run.snapshot.usage), run.snapshot.costUsd, run.snapshot.reported]).toEqual([70, 0.25, {}]);
  });

  test('pauses the run only when the child wants more than there is', () => {
    const run = parentOf({ tokens: 100 });
    const before = run.snapshot;
    report(run, 110);
    expect(areSharesNew(before, run.snapshot, 'tokens')).toBe(true);
    expect(run.snapshot.paused).toBeNull();
    report(run, 110, 100);
    expect(run.snapshot.paused).toMatchObject({ limit: 'tokens', allowed: 100, used: 110 });
    expect(report(run, 110, 100).facts).toEqual([]);
  });

  test('a child that has less than is left gets more, without a record', () => {
    const run = parentOf({ tokens: 100 });
    report(run, 30);
    const { facts, effects } = report(run, 30, 30);
    expect(facts).toEqual([]);
    expect(effects).toEqual([{ kind: 'child.share', task: 't1', limit: 'tokens' }]);
  });

  test('asks a person even if another limit or a failure pauses the run', () => {
    const run = parentOf({ tokens: 100 });
    run.send({ kind: 'run.pause', by: 'ann', reason: 'lunch' });
    report(run, 110, 100);
    expect(run.snapshot.paused).toMatchObject({ limit: 'tokens' });
    expect(openQuestions(run.snapshot)).toHaveLength(1);
  });

  test('of unknown cost reaches a limit on money', () => {
    const run = parentOf({ usd: 1 });
    run.send({ kind: 'child.spent', child: T1, ...used(1), costUsd: null, wants: { limit: 'usd', allowed: 1 } });
    expect(run.snapshot.paused).toMatchObject({ limit: 'usd', isUnknown: true });
  });
});

describe('[U5] the share of a child', () => {
  test('stops it without a question, until it is larger; one that is not is wanted again', () => {
    const run = childWith(0);
    expect(spentShare(run.snapshot)).toEqual({ limit: 'tokens', allowed: 0 });
    expect(openQuestions(run.snapshot)).toEqual([]);
    expect(run.snapshot.clock.still).toMatchObject({ limit: 'tokens' });
    // What was raised may be spent already: the run above hears once more that this one waits.
    const again = run.send({ kind: 'limit.share', limit: 'tokens', allowed: 0 });
    expect(again.facts).toMatchObject([{ kind: 'limit.reached', limit: 'tokens', allowed: 0, isOfParent: true }]);
    expect(openQuestions(run.snapshot)).toEqual([]);
    const { effects } = run.send({ kind: 'limit.share', limit: 'tokens', allowed: 10 });
    expect(effects.map(({ kind }) => kind)).toContain('actor.call');
    expect([run.snapshot.paused, run.snapshot.clock.still]).toEqual([null, null]);
  });

  test('may be taken back while it works', () => {
    const run = childWith(50);
    run.send({ kind: 'limit.share', limit: 'tokens', allowed: 0 });
    expect(run.snapshot).toMatchObject({ limits: { tokens: 0 }, paused: null });
  });

  test('is never more than its own workflow allows', () => {
    const code = work('code', ask('coder'), { transitions: [to('code')] });
    const definition = definitionOf([code, end()], { limits: { tokens: 20 } });
    const run = new TestedRun(definition, { parent: runId('parent'), limits: { tokens: 5 } });
    run.send({ kind: 'limit.share', limit: 'tokens', allowed: 500 });
    expect(run.snapshot.limits.tokens).toBe(20);
  });
});
