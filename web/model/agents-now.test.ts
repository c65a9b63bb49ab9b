import { describe, expect, test } from 'vitest';
import { rewoundState } from '../../src/core/history/rewind.ts';
import { agentsNow } from './agents-now.ts';
import { apartTree, apartTwice } from './testing/apart-tree.ts';
import { recordedTree } from './testing/recorded-tree.ts';
import { entered, smallRun, smallTree, turn } from './testing/small-run.ts';
import { ended } from '../../src/protocol/workflow-state/testing/test-records.ts';

const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 };
const answered = {
  kind: 'call.answered',
  task: 't1',
  call: 1,
  attempt: 1,
  message: { author: 'ada', role: 'assistant', content: 'Hi.' },
  usage,
  costUsd: null,
  model: 'smart',
  ms: 1,
};
const failed = (failureClass: string, retryAt: number | null): object => ({
  kind: 'call.failed',
  task: 't1',
  call: 1,
  attempt: 1,
  failure: { code: 'X', message: 'no', class: failureClass },
  retryAt,
});

describe('[U2] agents side by side', () => {
  test('an agent works while it has a turn, and rests with what it used afterwards', () => {
    expect(agentsNow(smallTree(turn('t1', 's')))).toMatchObject([
      { agent: 'ada', status: 'working', doing: { task: 't1', state: 's' } },
    ]);
    expect(agentsNow(smallTree(turn('t1', 's'), answered, ended('t1')))).toMatchObject([
      {
        agent: 'ada',
        status: 'idle',
        doing: null,
        usage: { inputTokens: 10 },
        costUsd: null,
        models: ['smart'],
        player: 'smart',
      },
    ]);
    expect(agentsNow(smallTree(turn('t1', 's'), ended('t1', 'failed')))).toMatchObject([
      { status: 'bad', outcome: 'failed' },
    ]);
  });

  test('[U8] an agent whose turn a run below takes stands there once, with what it does and used', () => {
    const place = { run: 'r/t1', agent: 'ada' };
    expect(agentsNow(apartTree(false))).toMatchObject([{ ...place, status: 'working', doing: { task: 't1' } }]);
    expect(agentsNow(apartTree(true))).toMatchObject([{ ...place, status: 'idle', usage: { inputTokens: 10 } }]);
  });

  test('[U8] an agent with several turns stands there once, whichever runs they are in, with the sum of them', () => {
    const all = { key: 'r ada', tasks: ['t1', 't2'], usage: { inputTokens: 20 }, costUsd: 2, status: 'working' };
    expect(agentsNow(apartTwice(true))).toMatchObject([{ ...all, run: 'r/t2', doing: { task: 't1' } }]);
    expect(agentsNow(apartTwice(false))).toMatchObject([{ ...all, run: 'r', doing: { task: 't2' } }]);
  });

  test('[U9] what a client tells of its tools counts as the last that was heard of it', () => {
    const activity = {
      kind: 'activity.noted',
      task: 't1',
      items: [{ id: 'a', kind: 'tool', name: 'Bash', status: 'ok' }],
    };
    expect(agentsNow(smallTree(turn('t1', 's'), activity))).toMatchObject([{ tools: 1, firstAt: 2000, lastAt: 3000 }]);
  });

  test('a fork says what an agent did since: what it did before was paid by the other run', () => {
    const forked = { kind: 'run.forked', from: { run: 'other', seq: 4 }, input: {}, by: 'me' };
    const before = [turn('t1', 's'), answered, ended('t1'), forked];
    expect(agentsNow(smallTree(...before))).toMatchObject([{ inherited: 1, tasks: ['t1'], tools: 0 }]);
    const later = [...before, turn('t2', 's'), { ...answered, task: 't2' }, ended('t2')];
    expect(agentsNow(smallTree(...later))).toMatchObject([
      { inherited: 1, tasks: ['t1', 't2'], usage: { inputTokens: 10 } },
    ]);
    const midway = [turn('t1', 's'), forked, answered, ended('t1')];
    expect(agentsNow(smallTree(...midway))).toMatchObject([{ inherited: 0, tasks: ['t1'] }]);
  });

  test('it says what it waits for', () => {
    expect(agentsNow(smallTree(turn('t1', 's'), failed('server', 9000)))).toMatchObject([
      { status: 'waiting', wait: { why: 'retry', until: 9000 } },
    ]);
    expect(agentsNow(smallTree(turn('t1', 's'), failed('quota', 9000)))).toMatchObject([
      { wait: { why: 'quota', until: 9000 } },
    ]);
    const asked = {
      kind: 'permission.asked',
      task: 't1',
      toolCall: 'c',
      call: { id: 'c', name: 'Bash', arguments: {} },
    };
    expect(agentsNow(smallTree(turn('t1', 's'), asked))).toMatchObject([
      { status: 'waiting', wait: { why: 'person' } },
    ]);
  });

  test('sub-agents of clients are shown with their tools', () => {
    const items = [
      { id: 'm', kind: 'minion', name: 'search', status: 'running', text: 'Find it' },
      { id: 'a', kind: 'tool', name: 'Read', status: 'running', parent: 'm' },
      { id: 'a', kind: 'tool', name: 'Read', status: 'ok', parent: 'm' },
      { id: 'b', kind: 'tool', name: 'Read', status: 'ok' },
    ];
    const [agent] = agentsNow(smallTree(turn('t1', 's'), { kind: 'activity.noted', task: 't1', items }));
    expect(agent).toMatchObject({
      tools: 1,
      minions: [{ name: 'search', status: 'running', text: 'Find it', tools: 1 }],
    });
  });

  test('those at work come first, those that were not needed yet last', () => {
    const agents = agentsNow(recordedTree('review', 20));
    expect(agents.map(({ agent, status }) => `${agent} ${status}`).slice(0, 3)).toEqual(
      agents.slice(0, 3).map(({ agent }) => `${agent} working`),
    );
    expect(agents.at(-1)).toMatchObject({ status: 'idle', tasks: [] });
    expect(agentsNow(recordedTree('review')).every(({ status }) => status === 'idle')).toBe(true);
  });

  test('together they used what the run used', () => {
    const tree = recordedTree('demo');
    const sum = agentsNow(tree).reduce((total, agent) => total + agent.usage.inputTokens, 0);
    expect(sum).toBe(tree.runs.get(tree.root)?.snapshot.usage.inputTokens);
  });
});

test('[U2] [PH7] a turn that was undone is no word about its agent any more; what it used stays used', () => {
  const before = [entered('s', 1), turn('t1', 's'), answered, ended('t1', 'failed')];
  const rewound = {
    kind: 'run.rewound',
    to: 2,
    by: 'me',
    state: rewoundState(smallRun(entered('s', 1)).snapshot, 6000),
  };
  expect(agentsNow(smallTree(...before))).toMatchObject([{ status: 'bad' }]);
  expect(agentsNow(smallTree(...before, rewound))).toMatchObject([
    { status: 'idle', outcome: null, usage: { inputTokens: 10 } },
  ]);
});
