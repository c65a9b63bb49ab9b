import { expect, test } from 'vitest';
import type { RunId } from '../../src/core/model/ids.ts';
import type { SpendingFigures } from '../../src/formats/review/views/answers/spending.ts';
import type { CompareView } from '../../src/formats/review/views/compare-view.ts';
import { foldCompare } from '../../src/formats/review/views/fold-compare.ts';
import { foldDebate } from '../../src/formats/review/views/fold-debate.ts';
import { foldWorkflowState } from '../../src/protocol/workflow-state/fold-workflow-state.ts';
import { Metrics } from '../../src/protocol/metrics/metrics.ts';
import { NO_RESULT } from '../../src/core/look/result-state.ts';
import { readDefinitions } from '../../src/app/runs/tree-reader.ts';
import { ReviewBench } from './review-bench.ts';
import { definitionOf, reviewFile, TASK } from './review-file.ts';

/** As workers drive it: another process has begun it. */
async function byWorker(bench: ReviewBench): Promise<RunId> {
  const { project } = bench.bench;
  const { host } = bench.bench.host({ worker: 'first' });
  const definition = await definitionOf(reviewFile());
  const sendAway = async () => ({ id: 'project', rules: 'rules' });
  const run = await host.start({ definition, input: { task: TASK }, project, sendAway });
  await host.resume(run);
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  return run;
}

const figures = ({ turns, usage, costUsd }: SpendingFigures) => ({ turns, usage, costUsd });

/** Without times, which no two runs share. */
const comparable = ({ implementations, winner, decision, revisions }: CompareView) => ({
  implementations: implementations.map(({ spending, evidence, ...one }) => {
    return { ...one, spending: figures(spending), isGreen: evidence?.isGreen, passed: evidence?.passed };
  }),
  winner,
  decision,
  revisions,
});

/** Who had how many turns, calls and tools, and how they came out, whichever run their records are in. */
async function countsOf({ bench }: ReviewBench, run: RunId): Promise<unknown> {
  const records = (await bench.journal.tree(run)).map((record) => ({ run: record.run, record, isInherited: false }));
  const metrics = new Metrics(0);
  metrics.add({ run, title: '', project: '', status: 'settled', driven: false, result: NO_RESULT, records });
  const { agentsSpawned, tasks, agents, tools, errors, phases } = metrics.view();
  const byName = [agents, tools, errors, phases].map((list) => list.map(untimed).toSorted());
  return { agentsSpawned, tasks: untimed(tasks), byName };
}

/** The document as a person reads it: whichever run their turns are in, each agent once. */
async function documentOf({ bench }: ReviewBench, run: RunId): Promise<unknown> {
  const records = (await bench.journal.tree(run)).map((record) => ({ run: record.run, record }));
  const state = foldWorkflowState(run, records, await readDefinitions(bench.journal, records));
  const agents = state?.agents.map(
    ({ metadata: { run: of, ...metadata }, started_at: _at, duration: _ms, ...agent }) => {
      return { ...agent, isOfReview: of === undefined || of === run, metadata };
    },
  );
  return { agents, spawned: state?.workflow_state.agents_spawned };
}

const untimed = (all: unknown): string =>
  JSON.stringify(all, (name, value: unknown) => (name.endsWith('Ms') ? undefined : value));

test('[U8] [RV22] a review comes to the same, and reads the same, where its implementers are runs below it', async () => {
  const alone = new ReviewBench();
  expect(await alone.start()).toMatchObject({ outcome: 'ok' });
  const shared = new ReviewBench();
  const run = await byWorker(shared);
  expect((await shared.bench.journal.runs({ parent: run })).length).toBeGreaterThan(3);
  expect(await alone.bench.journal.runs({ parent: alone.run })).toEqual([]);

  const [one, other] = [await alone.bench.journal.read(alone.run), await shared.bench.journal.read(run)];
  const around = { title: '', driven: false };
  expect(comparable(foldCompare(other, around))).toEqual(comparable(foldCompare(one, around)));
  const [debate, same] = [foldDebate(one, around), foldDebate(other, around)];
  expect(Object.values(same.spending.parts).map(figures)).toEqual(Object.values(debate.spending.parts).map(figures));
  expect(same.findings).toEqual(debate.findings);
  expect(await documentOf(shared, run)).toEqual(await documentOf(alone, alone.run));
  expect(await countsOf(shared, run)).toEqual(await countsOf(alone, alone.run));
  for (const agent of ['impl_1', 'impl_2', 'impl_3']) expect(shared.promptsOf(agent)).toEqual(alone.promptsOf(agent));
});
