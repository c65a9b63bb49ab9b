import { historyOf } from './run-history.ts';
import { describe, expect, test } from 'vitest';
import { rewoundState } from '../../src/core/history/rewind.ts';
import { recordedTree } from './testing/recorded-tree.ts';
import { BROKEN, entered, smallRun, turn } from './testing/small-run.ts';
import { ended, settled } from '../../src/protocol/workflow-state/testing/test-records.ts';

describe('[U2] the time line', () => {
  test('a real run: one bar a turn, in the lane of its agent, with its visit and its end', () => {
    const tree = recordedTree('demo');
    const run = tree.runs.get(tree.root);
    const bars = run === undefined ? [] : historyOf(run).bars;
    expect(bars.map(({ lane, state, visit, task, outcome }) => [lane, state, visit, task, outcome])).toEqual([
      [{ kind: 'agent', agent: 'coder' }, 'code', 1, 't1', 'ok'],
      [{ kind: 'agent', agent: 'reviewer' }, 'review', 1, 't2', 'ok'],
      [{ kind: 'agent', agent: 'coder' }, 'code', 2, 't3', 'ok'],
      [{ kind: 'agent', agent: 'reviewer' }, 'review', 2, 't4', 'ok'],
    ]);
    expect(bars[0]).toMatchObject({ startedAt: run?.lines[4]?.record.at, endedAt: run?.lines[14]?.record.at });
  });

  test('what a real pool has to wait for is visible before its bar', () => {
    const tree = recordedTree('quest');
    const run = tree.runs.get(tree.root);
    const calls = run === undefined ? [] : historyOf(run).bars.filter(({ lane }) => lane.kind === 'call');
    expect(calls.map(({ unit, about, outcome }) => [unit, about, outcome])).toEqual([
      ['a', 'quest_step', 'ok'],
      ['b', 'quest_step', 'ok'],
      ['c', 'quest_step', 'ok'],
      ['d', 'quest_step', 'ok'],
    ]);
    expect(calls[2]?.queuedAt).toBeLessThan(calls[2]?.startedAt ?? 0);
  });

  test('a retry is a tick, and the time before it is waiting', () => {
    const failure = { code: 'OVERLOADED', message: 'busy', class: 'overload' };
    const run = smallRun(
      entered('a', 1),
      turn('t1', 'a'),
      { kind: 'call.failed', task: 't1', call: 1, attempt: 1, failure, retryAt: 5000 },
      { kind: 'call.retried', task: 't1', call: 1, attempt: 2 },
      ended('t1', 'failed', BROKEN),
    );
    expect(historyOf(run).bars).toMatchObject([
      {
        startedAt: 3000,
        endedAt: 6000,
        outcome: 'failed',
        failure: { code: 'BROKEN' },
        waits: [{ why: 'retry', from: 4000, to: 5000 }],
        ticks: [
          { kind: 'failure', at: 4000 },
          { kind: 'retry', at: 5000 },
        ],
      },
    ]);
  });

  test('the person has a lane: questions, permissions, limits and pauses until they are over', () => {
    const ask = { kind: 'ask', question: 'Which one?', choices: [] };
    const run = smallRun(
      entered('a', 1),
      turn('t1', 'a', { work: ask }),
      ended('t1'),
      turn('t2', 'a'),
      { kind: 'permission.asked', task: 't2', toolCall: 'c1' },
      { kind: 'permission.settled', task: 't2', toolCall: 'c1', isAllowed: true, forAll: false, by: 'ada' },
      { kind: 'limit.reached', limit: 'tokens', allowed: 1, used: 2, state: 'a' },
      { kind: 'limit.raised', limit: 'tokens', allowed: 9, by: 'ada' },
      { kind: 'run.paused', by: 'ada', reason: 'lunch' },
    );
    const person = historyOf(run).bars.filter(({ lane }) => lane.kind === 'person');
    expect(person.map(({ kind, about, startedAt, endedAt }) => [kind, about, startedAt, endedAt])).toEqual([
      ['ask', 'Which one?', 3000, 4000],
      ['permission', 'may it use a tool', 6000, 7000],
      ['limit', 'tokens', 8000, 9000],
      ['pause', 'lunch', 10_000, null],
    ]);
    expect(historyOf(run).bars.find(({ task, kind }) => task === 't2' && kind === 'turn')?.waits).toEqual([
      { why: 'person', from: 6000, to: 7000 },
    ]);
  });

  test('what is open when a run settles ends with it', () => {
    const run = smallRun(entered('a', 1), turn('t1', 'a'), settled('cancelled'));
    expect(historyOf(run).bars).toMatchObject([{ endedAt: 4000, outcome: null }]);
  });

  test('a run that was put back: what it did since is marked, and what was under way goes on from now', () => {
    const first = [entered('a', 1), turn('t1', 'a')];
    const then = smallRun(...first).snapshot;
    const rewound = { kind: 'run.rewound', to: 3, by: 'ada', state: rewoundState(then, 6000) };
    const later = { ...turn('t2', 'b'), work: { kind: 'command', command: 'npm test', okExitCodes: [0] } };
    const bars = historyOf(smallRun(...first, ended('t1'), later, rewound)).bars;
    expect(bars.map(({ task, startedAt, endedAt, isUndone }) => [task, startedAt, endedAt, isUndone])).toEqual([
      ['t1', 3000, 4000, false],
      ['t2', 5000, 6000, true],
      ['t1', 6000, null, false],
    ]);
    expect(new Set(bars.map(({ key }) => key)).size).toBe(3);
  });

  test('a fork begins with its own time, and goes on with what was under way', () => {
    const forked = { kind: 'run.forked', from: { run: 'r0', seq: 4 }, input: {}, by: 'ada' };
    const bars = historyOf(smallRun(entered('a', 1), turn('t1', 'a'), ended('t1'), turn('t2', 'a'), forked)).bars;
    expect(bars).toMatchObject([{ task: 't2', startedAt: 6000, endedAt: null }]);
  });

  test('in a fork a turn ends where it ends, and what a person was asked for it where it was settled', () => {
    const asked = { kind: 'permission.asked', task: 't1', toolCall: 'c1' };
    const forked = { kind: 'run.forked', from: { run: 'r0', seq: 4 }, input: {}, by: 'ada' };
    const settled = {
      kind: 'permission.settled',
      task: 't1',
      toolCall: 'c1',
      isAllowed: true,
      forAll: false,
      by: 'ada',
    };
    const bars = historyOf(smallRun(entered('a', 1), turn('t1', 'a'), asked, forked, settled, ended('t1'))).bars;
    expect(bars).toMatchObject([
      { kind: 'turn', startedAt: 5000, endedAt: 7000 },
      { kind: 'permission', startedAt: 5000, endedAt: 6000 },
    ]);
  });
});
