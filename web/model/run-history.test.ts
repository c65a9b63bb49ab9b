import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCost, type CostUsd } from '../../src/core/model/usage.ts';
import { historyOf } from './run-history.ts';
import { emptyTree, takeLines, type RunTree } from './run-tree.ts';
import { addStep, historyStep, RandomHistory } from './testing/random-history.ts';

const histories = fc.array(historyStep, { maxLength: 30 }).map((steps) => {
  const history = new RandomHistory();
  for (const step of steps) addStep(history, step);
  const { root, journals } = history;
  const own = [...journals].filter(([run]) => run === root || run.startsWith(`${root}/`));
  return { root, lines: own.flatMap(([run, records]) => records.map((record) => ({ run, record }))) };
});

const historiesIn = ({ runs }: RunTree): readonly unknown[] => [...runs.values()].map(historyOf);

const sum = (costs: readonly { readonly costUsd: CostUsd }[]): CostUsd =>
  costs.reduce<CostUsd>((total, { costUsd }) => addCost(total, costUsd), 0);

test('[R4] a history that grows record by record is the history of all records', () => {
  fc.assert(
    fc.property(histories, ({ root, lines }) => {
      let tree = emptyTree(root);
      for (const line of lines) {
        ({ tree } = takeLines(tree, [line]));
        historiesIn(tree);
      }
      expect(historiesIn(tree)).toEqual(historiesIn(takeLines(emptyTree(root), lines).tree));
    }),
    { numRuns: 50 },
  );
});

test('[R4] what the agents of a run cost is what the run spent by state', () => {
  fc.assert(
    fc.property(histories, ({ root, lines }) => {
      for (const run of takeLines(emptyTree(root), lines).tree.runs.values()) {
        const { agents, spent } = historyOf(run);
        expect(sum(agents)).toBe(sum(spent.filter(({ agent }) => agent !== null)));
      }
    }),
    { numRuns: 50 },
  );
});

test('[R4] a look at an older version of a run shows what was known then', () => {
  const history = new RandomHistory();
  for (let size = 1; size <= 5; size += 1) addStep(history, { kind: 'call', how: 'answered', place: 0, size });
  const lines = (history.journals.get(history.root) ?? []).map((record) => ({ run: history.root, record }));
  const before = takeLines(emptyTree(history.root), lines.slice(0, 6)).tree;
  const { tree } = takeLines(before, lines.slice(6));
  const alone = historiesIn(takeLines(emptyTree(history.root), lines.slice(0, 6)).tree);
  historiesIn(tree);
  expect(historiesIn(before)).toEqual(alone);
});
