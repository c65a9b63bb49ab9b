import { expect, test } from 'vitest';
import type { Fact, JournalRecord } from '../core/record/fact.ts';
import { NO_USAGE } from '../core/model/usage.ts';
import { agentViews } from './agent-view.ts';
import { foldHistory } from './history/history-fold.ts';

const TURN = {
  kind: 'task.started',
  task: 't1',
  state: 'code',
  unit: null,
  work: { kind: 'turn', agent: 'coder', context: 'main', input: null },
};
const SESSION = { kind: 'session.noted', task: 't1', agent: 'coder', actor: 'claude-code', session: 's-1', how: 'new' };

const records = (...facts: readonly object[]): readonly JournalRecord[] =>
  facts.map((fact, index) => ({ seq: index + 1, at: index, fact: fact as Fact }));

const viewsOf = (of: readonly JournalRecord[]): ReturnType<typeof agentViews> =>
  agentViews(foldHistory('r', of).agents);

const activity = (...items: readonly object[]): object => ({ kind: 'activity.noted', task: 't1', items });

test('[Q8] a client is seen with its session, its tools and its sub-agents, each as last reported', () => {
  const usage = { ...NO_USAGE, inputTokens: 7 };
  const [view, ...others] = viewsOf(
    records(
      TURN,
      SESSION,
      activity(
        { id: 'a', kind: 'tool', name: 'Bash', status: 'running', text: 'ls' },
        { id: 'm', kind: 'minion', name: 'scout', status: 'running', text: 'look around' },
      ),
      activity(
        { id: 'a', kind: 'tool', name: 'Bash', status: 'ok' },
        { id: 'b', kind: 'tool', name: 'Read', status: 'ok', parent: 'm' },
        { id: 'c', kind: 'tool', name: 'Write', status: 'denied', text: '/etc/x' },
        { id: 'r', kind: 'retry', name: 'server_error', status: 'failed' },
        { id: 'm', kind: 'minion', name: 'scout', status: 'ok', usage },
      ),
    ),
  );
  expect(others).toEqual([]);
  expect(view).toEqual({
    agent: 'coder',
    actor: 'claude-code',
    session: 's-1',
    turns: 1,
    tools: 2,
    denials: ['Write /etc/x'],
    retries: 1,
    minions: [{ id: 'm', name: 'scout', status: 'ok', text: 'look around', usage, tools: 1 }],
  });
});

test('[Q5] one that waits for a quota says until when, and no longer once it goes on', () => {
  const failed = {
    kind: 'call.failed',
    task: 't1',
    failure: { code: 'QUOTA_USED_UP', message: 'The limit is reached.', class: 'quota' },
    retryAt: 5000,
  };
  expect(viewsOf(records(TURN, SESSION, failed))[0]?.waitsUntil).toBe(5000);
  const again = { kind: 'call.started', task: 't1' };
  expect(viewsOf(records(TURN, SESSION, failed, again))[0]).not.toHaveProperty('waitsUntil');
});

test('agents that a model plays are not among them', () => {
  expect(viewsOf(records(TURN, { kind: 'task.ended', task: 't1', outcome: 'ok' }))).toEqual([]);
});
