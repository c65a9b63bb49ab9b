import { expect, test } from 'vitest';
import { runPicture } from '../../src/app/runs/run-picture.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import type { StoredRecord } from '../../src/core/record/stored-record.ts';
import { runId, taskId } from '../../src/core/model/ids.ts';
import { NO_USAGE } from '../../src/core/model/usage.ts';
import { timeNow } from '../../src/core/fold/work-clock.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { RunLogLines } from '../../src/protocol/log-lines/run-log-lines.ts';
import { Metrics } from '../../src/protocol/metrics/metrics.ts';
import { NO_RESULT } from '../../src/core/look/result-state.ts';
import type { Snapshot } from '../../src/core/fold/snapshot.ts';
import { cardDetails, foldCard } from '../../src/protocol/web/fold-card.ts';
import { foldWorkflowState } from '../../src/protocol/workflow-state/fold-workflow-state.ts';
import { runFigures } from '../../web/compare/run-figures.ts';
import { historyOf } from '../../web/model/run-history.ts';
import { emptyTree, runTimeAt, takeLines, withDriven } from '../../web/model/run-tree.ts';
import { budgetsOf, treeSpent } from '../../web/run/totals/tree-totals.ts';
import { barMs } from '../../web/run/timeline/visible-bars.ts';
import { startedRun } from '../../src/core/testing/started-run.ts';

const RUN = runId('r');

const start = (task: string, work: Extract<Fact, { kind: 'task.started' }>['work']): Fact => ({
  kind: 'task.started',
  task: taskId(task),
  state: 'work',
  pool: null,
  unit: null,
  work,
  deadline: null,
});
const end = (task: string): Fact => ({
  kind: 'task.ended',
  task: taskId(task),
  outcome: 'ok',
  output: null,
  failure: null,
});
const TURN = { kind: 'turn', agent: 'ada', context: 'c', input: null } as const;
const ASK = { kind: 'ask', question: 'Which?', choices: [] } as const;
const OPENING: readonly (readonly [number, Fact])[] = [
  [0, { ...startedRun('r'), limits: { ...startedRun('r').limits, durationMs: 60_000 } }],
  [0, { kind: 'state.entered', state: 'work', visit: 1, from: null, patch: null }],
  [0, start('t1', TURN)],
];
const SETTLED: Fact = { kind: 'run.settled', outcome: 'ok', output: null, failure: null };
/** What is noted after the end, such as a result that was taken. */
const LATER: Fact = { kind: 'usage.noted', task: taskId('t1'), usage: NO_USAGE, costUsd: 0 };

const STORIES: Readonly<Record<string, readonly (readonly [number, Fact])[]>> = {
  'asks and waits': [...OPENING, [2000, end('t1')], [2000, start('t2', ASK)]],
  'asked and was answered an hour later': [
    ...OPENING,
    [1500, end('t1')],
    [1500, start('t2', ASK)],
    [3_601_500, end('t2')],
    [3_602_000, SETTLED],
    [9_000_000, LATER],
  ],
  'was killed': [...OPENING, [2000, end('t1')]],
  'was killed and resumed a day later': [
    ...OPENING,
    [1500, { kind: 'turn.nudged', task: taskId('t1'), text: 'Go on.' }],
    [86_401_500, { kind: 'run.resumed', epoch: 2, downMs: 86_400_000 }],
    [86_402_000, end('t1')],
    [86_402_000, SETTLED],
  ],
  'was paused and resumed': [
    ...OPENING,
    [500, { kind: 'run.paused', by: 'ann', reason: 'lunch' }],
    [1_000_500, { kind: 'run.continued', by: 'ann' }],
    [1_002_000, end('t1')],
    [1_002_000, SETTLED],
  ],
};

test.for(Object.entries(STORIES))('[R4] every view has the same time for a run that %s', async ([, story]) => {
  const records = story.map(([at, fact], index): StoredRecord => ({ seq: index + 1, at, fact, commit: index + 1 }));
  const lines = records.map((record) => ({ run: RUN, record }));
  const lastAt = records.at(-1)?.at ?? 0;
  const now = lastAt + 50_000_000;

  const journal = createMemoryJournal();
  const header = { run: RUN, parent: null, workflow: 'fix', project: '/p', title: '', at: 0 };
  await journal.release(await journal.create(header, 'me', { records, summary: { status: 'running', outcome: null } }));
  const metrics = new Metrics(now);
  const counted = { run: RUN, title: '', project: '/p', status: 'running', driven: false, result: NO_RESULT } as const;
  metrics.add({ ...counted, records: lines.map((line) => ({ ...line, isInherited: false })) });
  const figures = metrics.view();
  const card = records.reduce<Snapshot | null>(foldCard, null);
  if (card === null) throw new Error('no card');
  const { clock } = cardDetails(new Map([[RUN, card]]), card);
  const tree = withDriven(takeLines(emptyTree(RUN), lines).tree, false);
  const run = tree.runs.get(RUN);
  if (run === undefined) throw new Error('no run');
  const teller = new RunLogLines(RUN);
  const logged = records.flatMap((record) => teller.linesOf(record));
  const ofRun = logged.find(({ event }) => event === 'workflow_completed')?.duration_ms ?? 2000;

  expect({
    show: (await runPicture(journal, RUN, null)).time.workedMs,
    metrics: figures.runs[0]?.durationMs,
    board: timeNow(clock, { isDriven: false, now, lastAt }).workedMs,
    page: runTimeAt(tree, run, now).workedMs,
    limit: budgetsOf(run.snapshot, treeSpent(tree), lastAt).find(({ limit }) => limit === 'durationMs')?.used,
    compare: runFigures(tree).reduce((sum, { ms }) => sum + ms, 0),
    log: ofRun,
  }).toEqual({ show: 2000, metrics: 2000, board: 2000, page: 2000, limit: 2000, compare: 2000, log: 2000 });

  const [agent] = foldWorkflowState(RUN, lines, new Map())?.agents ?? [];
  const turn = logged.find(({ event }) => event === 'agent_completed')?.duration_ms;
  expect({
    show: (agent?.duration ?? Number.NaN) * 1000,
    metrics: figures.agents.find((one) => one.agent === 'ada')?.turns.durationMs.total,
    timeline: historyOf(run)
      .bars.filter(({ kind }) => kind === 'turn')
      .reduce((sum, bar) => sum + barMs(bar, now), 0),
  }).toEqual({ show: turn, metrics: turn, timeline: turn });
});
