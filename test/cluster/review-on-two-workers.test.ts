import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import type { Message } from '../../src/core/model/message.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import type { PostgresJournal } from '../../src/journal/postgres/shared-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { git } from '../cli/file-projects.ts';
import { configFor } from '../cli/projects.ts';
import { reviewAnswers, reviewProject, runReview } from '../cli/review-project.ts';
import type { Running, Sandbox } from '../cli/sandbox.ts';
import { heldModel, type HeldModel } from '../web/page/held-model.ts';
import { driversOf, machineWith, startWorker, stopWorkers } from './support/worker-machines.ts';

const SOON = { timeout: 60_000, interval: 100 };

/** What the review merges, at its place in the clone. */
const merged = (clone: Sandbox, run: string): string => git(clone, 'show', `troupe/${run}:double.mjs`);

function clone(): Sandbox {
  const project = reviewProject();
  git(project, 'init', '-q', '-b', 'trunk');
  git(project, 'add', '.');
  git(project, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'first');
  return project;
}

describe.skipIf(!hasServer())('a review on two workers', { timeout: 240_000 }, () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  test('[U8] implementers are driven by two workers; one dies meanwhile, the revision goes on in the same conversation, and the same is merged', async () => {
    const address = await cluster.database();
    const environment = { TROUPE_JOURNAL: address };
    const models = [await heldModel(reviewAnswers()), await heldModel(reviewAnswers())] as const;
    const workerWith = ({ url }: HeldModel): Promise<Running> =>
      startWorker(machineWith(configFor(url)), environment, ['--slots', '1']);
    for (const model of models) model.hold('impl_1', 'other');
    const workers = [await workerWith(models[0]), await workerWith(models[1])] as const;
    const journal = await openPostgresJournal({ address });
    onTestFinished(() => journal.close());
    const user = clone();
    const following = user.start(['run', 'two_minds', 'Double it.', '--json'], { environment });
    const heldBy = (model: HeldModel): string => `${model.held('impl_1')}${model.held('other')}`;
    await vi.waitFor(() => expect(models.map(heldBy).toSorted()).toEqual(['01', '10']), SOON);
    const [killed, left] = heldBy(models[0]) === '10' ? ([0, 1] as const) : ([1, 0] as const);
    workers[killed].child.kill('SIGKILL');
    models[left].letGo('impl_1', 'other');
    expect(await following.ended).toMatchObject({ code: 0 });
    const [{ run } = { run: runId('') }] = await journal.runs({ parent: null });
    const turns = await turnsOf(journal, run);
    const [dead, alive] = [workers[killed].child.pid, workers[left].child.pid];
    expect(turns.get('impl_1 implement')).toMatchObject({ drivers: [dead, alive], heard: [] });
    expect(turns.get('other implement')).toMatchObject({ drivers: [alive] });
    expect(turns.get('impl_1 revise')).toMatchObject({ drivers: [alive] });
    // It begins with all that was said in the first turn, which two workers took.
    expect(turns.get('impl_1 revise')?.heard).toEqual(turns.get('impl_1 implement')?.left);
    expect((await driversOf(journal, run)).get(run)?.at(-1)).toBe(following.child.pid);
    await stopWorkers([workers[left]]);

    const alone = clone();
    const embedded = await runReview(alone);
    expect(embedded.code).toBe(0);
    expect(merged(user, run)).toBe(merged(alone, embedded.run));
    expect(merged(user, run)).toContain('value + value');
  });
});

interface TurnApart {
  readonly drivers: readonly (number | undefined)[];
  /** What its agent had heard and said before. */
  readonly heard: readonly string[];
  /** What it came to. */
  readonly left: readonly string[];
}

/** The turns that runs below took, by agent and state. */
async function turnsOf(journal: PostgresJournal, root: RunId): Promise<ReadonlyMap<string, TurnApart>> {
  const drivers = await driversOf(journal, root);
  const records = await journal.tree(root);
  const texts = (messages: readonly Message[]): readonly string[] => messages.map(({ content }) => content);
  const found = records.flatMap(({ run, fact }): readonly [string, TurnApart][] => {
    if (fact.kind !== 'run.started' || fact.apart === undefined) return [];
    const { state, work } = fact.apart;
    const end = records.find((one) => one.fact.kind === 'task.ended' && `${root}/${one.fact.task}` === run);
    const left = end?.fact.kind === 'task.ended' ? (end.fact.left?.messages ?? []) : [];
    const heard = fact.contexts.flatMap(({ messages }) => texts(messages));
    return [[`${work.agent} ${state}`, { drivers: drivers.get(run) ?? [], heard, left: texts(left) }]];
  });
  return new Map(found);
}
