import { expect, test } from 'vitest';
import { runStatusText } from '../run/run-words.ts';
import { timelineRows } from '../run/timeline/timeline-rows.ts';
import { barName } from '../run/timeline/visible-bars.ts';
import { agentsNow } from './agents-now.ts';
import { haltedAt, runTimeAt, type RunTree, takeTexts, withDriven } from './run-tree.ts';
import { entered, smallTree, turn } from './testing/small-run.ts';
import { ended, settled } from '../../src/protocol/workflow-state/testing/test-records.ts';

const going = smallTree(entered('s', 1), turn('t1', 's'));
const killed = withDriven(going, false);

test('[U2] a run whose process is gone halted with its newest record, until a process drives it again', () => {
  expect([haltedAt(going), haltedAt(withDriven(going, true)), haltedAt(killed)]).toEqual([null, null, 3000]);
  expect(haltedAt(withDriven(killed, true))).toBeNull();
  const over = smallTree(entered('s', 1), turn('t1', 's'), ended('t1'), settled('ok'));
  expect(haltedAt(withDriven(over, false))).toBeNull();
});

test('[U2] its status is stopped, its agents are cut off, and no time passes for them', () => {
  expect([runStatusText(going), runStatusText(killed)]).toEqual(['running', 'stopped']);
  expect(agentsNow(going)).toMatchObject([{ agent: 'ada', status: 'working', wait: null, doing: { until: null } }]);
  expect(agentsNow(killed)).toMatchObject([
    { agent: 'ada', status: 'waiting', wait: { why: 'halted' }, doing: { until: 3000 } },
  ]);
});

test('[U8] a run that waits for a worker is queued, not stopped', () => {
  const lacking = withDriven(going, false, { kind: 'lacks', text: 'no worker is running' });
  expect([runStatusText(lacking), haltedAt(lacking)]).toEqual(['queued', 3000]);
  const sleeping = withDriven(going, false, { kind: 'sleeps', text: 'sleeps until 5', until: 5000 });
  expect([runStatusText(sleeping), haltedAt(sleeping)]).toEqual(['queued', null]);
  const root = sleeping.runs.get(sleeping.root);
  const timesOf = (tree: RunTree) => [4000, 9000].map((now) => root && runTimeAt(tree, root, now).workedMs);
  expect(timesOf(sleeping).map((time, index) => (time ?? 0) - (timesOf(lacking)[index] ?? 0))).toEqual([1000, 2000]);
});

test('[U2] its words on the way are gone, and its bars end where its records do', () => {
  const text = { run: 'r', task: 't1', agent: 'ada', offset: 0, text: 'Let me' };
  expect(withDriven(takeTexts(going, [text]), false).words.size).toBe(0);
  expect(barsOf(going)).toEqual([expect.stringContaining('under way')]);
  expect(barsOf(killed)).toEqual([expect.stringContaining('cut off')]);
});

test('[U2] a question of a run whose process is gone still waits', () => {
  const work = { kind: 'ask', question: 'Which?', choices: [] };
  const asking = withDriven(smallTree(entered('s', 1), turn('t1', 's', { work })), false);
  expect(runStatusText(asking)).toBe('waiting');
  expect(barsOf(asking)).toEqual([expect.stringContaining('under way')]);
});

const barsOf = (tree: RunTree): readonly string[] =>
  timelineRows(tree, () => true).flatMap((row) =>
    row.kind === 'lane' ? row.bars.map(({ bar }) => barName(bar, 9000)) : [],
  );
