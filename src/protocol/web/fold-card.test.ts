import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { taskId, treeId } from '../../core/model/ids.ts';
import { startedRun } from '../../core/testing/started-run.ts';
import { runView } from '../run-view.ts';
import { resultState } from '../../core/look/result-state.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { cardDetails, foldCard } from './fold-card.ts';

const GOLDEN = fileURLToPath(new URL('../../../test/golden/journals/', import.meta.url));

const recordsIn = (file: string): readonly JournalRecord[] =>
  readFileSync(`${GOLDEN}${file}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalRecord);

describe('[U2] [WL9] a card folded record by record', () => {
  const files = globSync('*.jsonl', { cwd: GOLDEN });

  test('there are journals to try it on', () => expect(files.length).toBeGreaterThan(5));

  test.each(files)('says the same as a whole fold after every record of %s', (file) => {
    const records = recordsIn(file);
    let fold: Snapshot | null = null;
    for (const [index, record] of records.entries()) {
      fold = foldCard(fold, record);
      const { usage, costUsd, state, questions } = runView(foldRecords(records.slice(0, index + 1)));
      const details = cardDetails(new Map([[fold.run, fold]]), fold);
      expect(details).toMatchObject({ usage, costUsd, state, questions });
    }
  });
});

const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 };
const entered = (state: string): Fact => ({ kind: 'state.entered', state, visit: 1, from: null, patch: null });
const task = (id: string, work: Extract<Fact, { kind: 'task.started' }>['work']): Fact => ({
  kind: 'task.started',
  task: taskId(id),
  state: 's',
  pool: null,
  unit: null,
  work,
  deadline: null,
});
const spent = (costUsd: number | null): Fact => ({ kind: 'usage.noted', task: taskId('t1'), usage: USAGE, costUsd });
const settled: Fact = { kind: 'run.settled', outcome: 'ok', output: null, failure: null };

function folded(...facts: readonly Fact[]): Snapshot {
  let fold: Snapshot | null = null;
  for (const [index, fact] of facts.entries()) fold = foldCard(fold, { seq: index + 1, at: 100 + index, fact });
  if (fold === null) throw new Error('There is nothing to fold.');
  return fold;
}

const detailsOf = (root: Snapshot, ...below: readonly Snapshot[]) =>
  cardDetails(new Map([root, ...below].map((fold) => [fold.run, fold])), root);

describe('[U2] [WL11] a card of a run with runs below it', () => {
  const call = task('t1', { kind: 'call', workflow: 'w2', input: {} });
  const ask = task('t1', { kind: 'ask', question: 'Which one?', choices: [] });

  test('a question of a child is named by the path to it, and its costs count', () => {
    const root = folded(startedRun('r'), entered('s'), spent(1), call);
    const child = folded(startedRun('r/t1'), entered('s'), spent(2), ask);
    const details = detailsOf(root, child);
    expect(details.questions).toMatchObject([{ id: 't1/t1', name: 't1/q1', run: 'r/t1', text: 'Which one?' }]);
    expect(details).toMatchObject({ costUsd: 3, usage: { inputTokens: 20, calls: 2 } });
  });

  test('a child that reported its costs is not counted twice', () => {
    const ended: Fact = {
      kind: 'task.ended',
      task: taskId('t1'),
      outcome: 'ok',
      output: null,
      failure: null,
      usage: USAGE,
      costUsd: 2,
    };
    const root = folded(startedRun('r'), entered('s'), spent(1), call, ended);
    const child = folded(startedRun('r/t1'), entered('s'), spent(2), settled);
    expect(detailsOf(root, child)).toMatchObject({ costUsd: 3, questions: [] });
  });

  test('a price that is not known below is not known above', () => {
    const root = folded(startedRun('r'), entered('s'), spent(1), call);
    expect(detailsOf(root, folded(startedRun('r/t1'), spent(null))).costUsd).toBeNull();
  });

  test('those at work are named, also below', () => {
    const turn = task('t2', { kind: 'turn', agent: 'coder', context: 'c', input: null });
    const root = folded(startedRun('r'), entered('s'), call, turn);
    const child = folded(startedRun('r/t1'), task('t1', { kind: 'turn', agent: 'critic', context: 'c', input: null }));
    expect(detailsOf(root, child).agents).toEqual(['coder', 'critic']);
  });
});

describe('[U2] [WL10] whether a result waits', () => {
  const changed = (tree: string, version: number): Fact => ({
    kind: 'files.changed',
    workspace: 'main',
    tree: treeId(tree),
    version,
    base: treeId('t0'),
    why: 'work',
    task: null,
  });
  const applied = (tree: string): readonly Fact[] => [
    { kind: 'project.changed', how: 'applied', before: treeId('a'), after: treeId('b'), kept: [], by: 'ada' },
    {
      kind: 'project.changed',
      how: 'applied',
      before: treeId('b'),
      after: treeId('b'),
      kept: [],
      by: 'ada',
      workspace: 'main',
      tree: treeId(tree),
    },
  ];
  const run = (...facts: readonly Fact[]): Snapshot => folded(startedRun('r'), entered('s'), ...facts);

  test('nothing was changed: nothing waits', () => expect(resultState(run(settled)).state).toBe('none'));

  test('while it runs nothing waits yet', () => expect(resultState(run(changed('t1', 1))).state).toBe('none'));

  test('what was changed waits until it is in the project', () => {
    expect(resultState(run(changed('t1', 1), settled)).state).toBe('waiting');
    expect(resultState(run(changed('t1', 1), settled, ...applied('t1'))).state).toBe('delivered');
    expect(resultState(run(changed('t2', 1), settled, ...applied('t1'))).state).toBe('waiting');
  });

  test('a branch or a conflict waits', () => {
    const handed: Fact = { kind: 'delivery.finished', workspace: 'main', tree: treeId('t1'), how: 'branch', by: 'ada' };
    expect(resultState(run(settled, handed)).state).toBe('waiting');
  });

  test('what is noted afterwards does not make a run longer', () => {
    expect(run(settled, ...applied('t1')).clock.endedAt).toBe(102);
    expect(run(changed('t1', 1)).clock.endedAt).toBeNull();
  });
});
