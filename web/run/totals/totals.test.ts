import { describe, expect, test } from 'vitest';
import { addUsage, NO_USAGE } from '../../../src/core/model/usage.ts';
import { recordedTree } from '../../model/testing/recorded-tree.ts';
import { entered, smallTree, turn } from '../../model/testing/small-run.ts';
import { budgetsOf, spentByAgent, spentByRun, treeSpent } from './tree-totals.ts';

const usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 60, cacheWriteTokens: 0, calls: 1 };

const answered = (costUsd: number | null): object => ({
  kind: 'call.answered',
  task: 't1',
  call: 1,
  attempt: 1,
  message: { role: 'assistant', content: '', author: 'ada' },
  usage,
  costUsd,
  model: 'm',
  ms: 1,
});

describe('[U2] what a run has taken', () => {
  test('of real runs it is what the engine itself has counted, runs below included', () => {
    for (const name of ['demo', 'review', 'quest'] as const) {
      const tree = recordedTree(name);
      const spent = treeSpent(tree);
      expect(spent.usage).toEqual(tree.runs.get(tree.root)?.snapshot.usage);
      expect(spent.costUsd).toBeCloseTo(tree.runs.get(tree.root)?.snapshot.costUsd ?? Number.NaN, 9);
    }
  });

  test('also while runs below are under way', () => {
    const tree = recordedTree('quest', 100);
    const open = [...tree.runs.values()].filter(({ snapshot }) => snapshot.status === 'running');
    const counted = open.reduce((sum, { snapshot }) => addUsage(sum, snapshot.usage), NO_USAGE);
    expect(open.length).toBeGreaterThan(1);
    expect(treeSpent(tree).usage.inputTokens).toBeGreaterThanOrEqual(counted.inputTokens);
  });

  test('rolls up from state to agent, and from agent to run', () => {
    const tree = recordedTree('demo');
    const agents = spentByAgent(tree);
    expect(agents.map(({ name, usage: { calls }, parts }) => [name, calls, parts.map((part) => part.name)])).toEqual([
      ['reviewer', 4, ['review']],
      ['coder', 6, ['code']],
    ]);
    const runs = spentByRun(recordedTree('quest'));
    expect(runs.map(({ name }) => name)).toEqual([
      'quest',
      'a · quest_step',
      'b · quest_step',
      'c · quest_step',
      'd · quest_step',
    ]);
    expect(runs[1]?.parts.map(({ name }) => name)).toEqual(['codeweaver', 'siegemaster']);
  });

  test('a price that is not known stays unknown, next to the known part', () => {
    const tree = smallTree(entered('a', 1), turn('t1', 'a'), answered(0.5), answered(null));
    expect(treeSpent(tree)).toMatchObject({ costUsd: null, knownCostUsd: 0.5, usage: { calls: 2 } });
  });

  test('limits that exist have a bar, the others none', () => {
    const tree = smallTree(entered('a', 1), turn('t1', 'a'), answered(0.5));
    const snapshot = tree.runs.get('r')?.snapshot;
    if (snapshot === undefined) throw new Error('There is no run.');
    const spent = treeSpent(tree);
    expect(budgetsOf(snapshot, spent, 9000)).toEqual([]);
    const limits = { iterations: 1, toolRounds: 1, tokens: 1000, usd: 2, durationMs: 60_000 };
    expect(budgetsOf({ ...snapshot, limits }, spent, 9000)).toEqual([
      { limit: 'tokens', used: 110, allowed: 1000 },
      { limit: 'usd', used: 0.5, allowed: 2 },
      { limit: 'durationMs', used: 8000, allowed: 60_000 },
      { limit: 'iterations', used: 1, allowed: 1 },
    ]);
    const unwatched = { ...limits, iterations: 50, usd: Number.MAX_SAFE_INTEGER };
    expect(budgetsOf({ ...snapshot, limits: unwatched }, spent, 9000).map(({ limit }) => limit)).toEqual([
      'tokens',
      'durationMs',
    ]);
  });
});
