import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runId } from '../../src/core/model/ids.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
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

describe.skipIf(!hasServer())('a review on two workers', { timeout: 120_000 }, () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  test('[U8] when its worker dies while implementers work, another one goes on with all of them, and the same is merged', async () => {
    const address = await cluster.database();
    const environment = { TROUPE_JOURNAL: address };
    const models = [await heldModel(reviewAnswers()), await heldModel(reviewAnswers())] as const;
    const workerWith = ({ url }: HeldModel): Promise<Running> => startWorker(machineWith(configFor(url)), environment);
    models[0].hold('impl_1', 'other');
    const first = await workerWith(models[0]);
    const journal = await openPostgresJournal({ address });
    onTestFinished(() => journal.close());
    const user = clone();
    const following = user.start(['run', 'two_minds', 'Double it.', '--json'], { environment });
    await vi.waitFor(() => expect([models[0].held('impl_1'), models[0].held('other')]).toEqual([1, 1]), SOON);
    const second = await workerWith(models[1]);
    first.child.kill('SIGKILL');
    expect(await following.ended).toMatchObject({ code: 0 });
    const [{ run } = { run: runId('') }] = await journal.runs({ parent: null });
    const drivers = [first, second, following].map(({ child }) => child.pid);
    expect(await driversOf(journal, run)).toEqual(new Map([[run, drivers]]));
    await stopWorkers([second]);

    const alone = clone();
    const embedded = await runReview(alone);
    expect(embedded.code).toBe(0);
    expect(merged(user, run)).toBe(merged(alone, embedded.run));
    expect(merged(user, run)).toContain('value + value');
  });
});
