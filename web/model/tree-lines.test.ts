import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fact } from '../../src/core/record/fact.ts';
import { emptyTree, takeLines } from './run-tree.ts';
import { addStep, historyStep, RandomHistory } from './testing/random-history.ts';
import { recordedLines } from './testing/recorded-tree.ts';
import { treeLines } from './tree-lines.ts';
import { startedRun } from '../../src/core/testing/started-run.ts';

const histories = fc.array(historyStep, { maxLength: 30 }).map((steps) => {
  const history = new RandomHistory();
  for (const step of steps) if (step.kind !== 'fork') addStep(history, step);
  const lines = [...history.journals].flatMap(([run, records]) => records.map((record) => ({ run, record })));
  return { root: history.root, lines };
});

test('[R4] the order of a tree is the same whichever run is read first, and while it grows', () => {
  fc.assert(
    fc.property(histories, ({ root, lines }) => {
      const whole = treeLines(takeLines(emptyTree(root), lines).tree);
      let tree = emptyTree(root);
      for (const line of [...lines].sort((a, b) => (a.run === root ? 1 : 0) - (b.run === root ? 1 : 0))) {
        ({ tree } = takeLines(tree, [line]));
        treeLines(tree);
      }
      const grown = treeLines(tree);
      expect(grown.lines).toEqual(whole.lines);
      for (const [place, { run, record }] of grown.lines.entries()) expect(grown.placeOf(run, record.seq)).toBe(place);
    }),
    { numRuns: 50 },
  );
});

test('[R4] the order is that of the commits, also where the clock of a run below is an hour off', () => {
  const line = (run: string, seq: number, [commit, at]: readonly [number, number]) => {
    const fact: Fact = seq === 1 ? startedRun(run) : { kind: 'run.resumed', epoch: seq };
    return { run, record: { seq, at, fact, commit } };
  };
  const HOUR = 3_600_000;
  for (const skew of [-HOUR, 0, HOUR]) {
    const lines = [
      line('r', 1, [1, HOUR]),
      line('r', 2, [4, HOUR + 30]),
      line('r/t1', 1, [2, HOUR + skew + 10]),
      line('r/t1', 2, [3, HOUR + skew + 20]),
      line('r/t1', 3, [5, HOUR + skew + 40]),
    ];
    const order = treeLines(takeLines(emptyTree('r'), lines).tree).lines;
    expect(order.map(({ record }) => record.commit)).toEqual([1, 2, 3, 4, 5]);
  }
});

test('[R4] the records of a real tree come out in the same order one by one as all at once', () => {
  const lines = recordedLines('quest');
  const root = lines[0]?.run ?? '';
  let tree = emptyTree(root);
  for (const line of lines) {
    ({ tree } = takeLines(tree, [line]));
    treeLines(tree);
  }
  expect(treeLines(tree).lines).toEqual(treeLines(takeLines(emptyTree(root), lines).tree).lines);
});
