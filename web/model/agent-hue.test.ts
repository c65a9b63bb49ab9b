import { expect, test } from 'vitest';
import type { Fact } from '../../src/core/record/fact.ts';
import { taskId } from '../../src/core/model/ids.ts';
import { agentColour, agentOrder } from './run-history.ts';
import { emptyTree, takeLines, type RunTree } from './run-tree.ts';
import { startedRun } from '../../src/core/testing/started-run.ts';

const speaks = (agent: string, task: string): Fact => ({
  kind: 'task.started',
  task: taskId(task),
  state: 's',
  pool: null,
  unit: null,
  work: { kind: 'turn', agent, context: 'c', input: null },
  deadline: null,
});

function grown(tree: RunTree, run: string, ...facts: readonly (readonly [number, Fact])[]): RunTree {
  const count = tree.runs.get(run)?.count ?? 0;
  return takeLines(
    tree,
    facts.map(([at, fact], index) => ({ run, record: { seq: count + index + 1, at, fact, commit: at } })),
  ).tree;
}

test('[U2] agents have colours in the order in which they first spoke, over all runs of a tree', () => {
  let tree = grown(emptyTree('r'), 'r', [1, startedRun('r')], [5, speaks('lead', 't1')]);
  tree = grown(tree, 'r/t2', [6, startedRun('r/t2')], [7, speaks('coder', 't1')]);
  tree = grown(tree, 'r', [8, speaks('reviewer', 't3')], [9, speaks('lead', 't4')]);
  expect(agentOrder(tree)).toEqual(['lead', 'coder', 'reviewer']);
  expect(agentColour(agentOrder(tree), 'coder')).toBe('var(--agent-2)');
  expect(agentColour(agentOrder(tree), 'nobody')).toBe('var(--muted)');
});

test('[U2] the ninth agent begins with the first colour again', () => {
  const names = Array.from({ length: 9 }, (_, index) => `a${index}`);
  const facts = names.map((name, index) => [index + 2, speaks(name, `t${index}`)] as const);
  const order = agentOrder(grown(emptyTree('r'), 'r', [1, startedRun('r')], ...facts));
  expect(agentColour(order, 'a8')).toBe('var(--agent-1)');
});
