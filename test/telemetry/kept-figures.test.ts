import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendFigures, KeptFigures } from '../../src/app/observers/metrics/kept-figures.ts';
import type { JournalRecord } from '../../src/core/record/fact.ts';
import { childRunId, runId, taskId, type RunId } from '../../src/core/model/ids.ts';
import { contentHash } from '../../src/journal/content-hash.ts';
import { temporaryHome } from '../../src/journal/sqlite/testing/temporary-home.ts';
import { countTree, type TreeFigures } from '../../src/protocol/metrics/count-tree.ts';
import { addStep, historyStep, RandomHistory } from '../../web/model/testing/random-history.ts';

const LATER = Date.UTC(2030, 0, 1);

interface CountedHistory {
  readonly tree: readonly { readonly run: RunId; readonly tip: string }[];
  readonly figures: TreeFigures;
}

/** Counts the present tree of a history from all its records, as seen at a moment long after it. */
function counted({ journals, root }: RandomHistory, now = LATER): CountedHistory {
  const own = [...journals].filter(([run]) => run === root || run.startsWith(`${root}/`));
  const records = own.flatMap(([run, all]) => {
    const first = all.findLastIndex(({ fact }) => fact.kind === 'run.forked');
    return all.map((record, index) => ({ run, record, isInherited: index < first }));
  });
  const inTime = records.toSorted((a, b) => a.record.at - b.record.at);
  return {
    tree: own.map(([run, all]) => ({ run, tip: tipOf(all) })),
    figures: countTree(root, inTime, { isDriven: false, now }),
  };
}

const tipOf = (records: readonly JournalRecord[]): string => contentHash(JSON.stringify(records));

let place: ReturnType<typeof temporaryHome>;
beforeEach(() => {
  place = temporaryHome();
});
afterEach(() => place.dispose());

const opened = (version = '1'): KeptFigures => new KeptFigures(place.home, version);

test('[PH8] kept figures are those of all records, whatever failed, forked, was undone or went on after its end', () => {
  let hits = 0;
  const check = (history: RandomHistory): void => {
    const { tree, figures } = counted(history);
    const kept = opened();
    // All histories have the same names, so most entries are of runs that went on or of other ones.
    expect([undefined, figures]).toContainEqual(kept.find(tree));
    kept.keep(tree, figures);
    kept.save();
    const found = opened().find(tree);
    expect(found).toEqual(figures.life.endedAt === null ? undefined : figures);
    if (found === undefined) return;
    hits += 1;
    expect(found).toEqual(counted(history, 2 * LATER).figures);
  };
  fc.assert(
    fc.property(fc.array(historyStep, { maxLength: 40 }), (steps) => {
      const history = new RandomHistory();
      for (const step of steps) {
        addStep(history, step);
        check(history);
      }
    }),
    { numRuns: 50 },
  );
  expect(hits).toBeGreaterThan(10);
});

test('[PH8] a line that was not finished costs only its own run, whatever is appended after it', () => {
  const [first, second] = ['one', 'two'].map((name) => {
    const history = new RandomHistory();
    history.settle();
    const { tree, figures } = counted(history);
    return { runs: tree.map(({ tip }) => ({ run: runId(name), tip })), figures };
  });
  if (first === undefined || second === undefined) throw new Error('There are two.');
  const where = { home: place.home, version: '1' };
  const file = join(place.home, 'metrics.txt');
  appendFigures(where, first);
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -9));
  appendFigures(where, second);
  expect([first, second].map(({ runs }) => opened().find(runs))).toEqual([undefined, second.figures]);
  // Of another version nothing is left.
  appendFigures({ ...where, version: '2' }, first);
  expect([first, second].map(({ runs }) => opened('2').find(runs))).toEqual([first.figures, undefined]);
});

test('[PH8] a changed tip, a new run below, a damaged file or another version of Troupe has the records counted again', () => {
  const history = new RandomHistory();
  history.call(history.root, 'answered', 5);
  history.settle();
  const { tree, figures } = counted(history);
  const kept = opened();
  kept.keep(tree, figures);
  kept.save();
  expect(opened().find(tree)).toEqual(figures);
  expect(opened().find(tree.map(({ run }) => ({ run, tip: 'another' })))).toBeUndefined();
  expect(opened().find([...tree, { run: childRunId(history.root, taskId('t9')), tip: 'x' }])).toBeUndefined();
  expect(opened('2').find(tree)).toBeUndefined();
  const file = join(place.home, 'metrics.txt');
  writeFileSync(file, readFileSync(file, 'utf8').replace('[5,', '[6,'));
  expect(opened().find(tree)).toBeUndefined();
  writeFileSync(file, '');
  expect(opened().find(tree)).toBeUndefined();
});
