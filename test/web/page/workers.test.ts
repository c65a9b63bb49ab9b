import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasServer, startCluster, type TestCluster } from '../../../src/journal/postgres/testing/test-cluster.ts';
import { runId } from '../../../src/core/model/ids.ts';
import { openPostgresJournal } from '../../../src/journal/postgres/postgres-journal.ts';
import { driversOf, machineWith, startWorker } from '../../cluster/support/worker-machines.ts';
import { WRITING, writingProject } from '../../cli/file-projects.ts';
import { configFor, scriptedProject } from '../../cli/projects.ts';
import { jsonLines } from '../../cli/sandbox.ts';
import { path, serve } from '../server/served.ts';
import { expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { heldModel } from './held-model.ts';

describe.skipIf(CHROMIUM === null || !hasServer())('the page of the workers', SLOW, () => {
  const { open } = useBrowser();
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  test('[U8] it lists who is alive, what they offer and what they drive, and who is gone; what that one drove is queued', async () => {
    const model = await heldModel(WRITING);
    model.hold('worker');
    const sandbox = writingProject({ '.troupe/config.yaml': configFor(model.url) });
    const environment = { TROUPE_JOURNAL: await cluster.database() };
    const begun = await sandbox.troupe(['run', 'two_steps', 'Write it', '--detach', '--json'], { environment });
    const run = String(jsonLines(begun.stdout)[0]?.['run']);
    const served = await serve(sandbox, [], { environment });
    const { page, errors } = await tab(await open(), served.url);
    await page.getByRole('link', { name: 'Workers' }).click();
    await page.getByText('No workers').waitFor();
    const worker = sandbox.start(['worker', '--slots', '3', '--labels', 'gpu', '--json'], { environment });
    const line = page.getByRole('article', { name: `${hostname()}/${worker.child.pid}` });
    await line.getByText('alive').waitFor();
    await line.getByText('label gpu').waitFor();
    await line.getByText('1 run, 3 slots').waitFor();
    await expectAccessible(page);
    const pictures = process.env['TROUPE_PICTURES'];
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/workers.png` });
    worker.child.kill('SIGKILL');
    await worker.ended;
    await line.getByText('gone').waitFor();
    await line.getByRole('link', { name: 'Write it' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/runs/${run}`);
    await page.getByText('Queued: no worker is running').waitFor();
    expect(errors).toEqual([]);
  });

  test('[U8] a run that is started on the page is queued, and is followed there to its end on a worker', async () => {
    const model = await heldModel(WRITING);
    const sandbox = writingProject({ '.troupe/config.yaml': configFor(model.url) });
    const environment = { TROUPE_JOURNAL: await cluster.database() };
    const served = await serve(sandbox, [], { environment });
    const { page, errors } = await tab(await open(), served.url);
    await page.getByRole('button', { name: 'Start a run' }).first().click();
    const form = page.getByRole('dialog', { name: 'Start a run' });
    await form.getByLabel('Workflow').selectOption('two_steps');
    await form.getByLabel('task').fill('Write it');
    await form.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForURL(/\/runs\/\w+/);
    await page.getByText('Queued: no worker is running').waitFor();
    const run = new URL(page.url()).pathname.replace('/runs/', '');
    expect((await served.get(path(run))).body).toMatchObject({ status: 'running', queued: { kind: 'lacks' } });
    const worker = await startWorker(machineWith(configFor(model.url)), environment);
    await page.getByText('Queued: no worker is running').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Outcome' }).getByText(/^Done/).first().waitFor();
    expect((await served.get(path(run))).body).toMatchObject({ status: 'settled', outcome: 'ok', output: 'Done.' });
    const journal = await openPostgresJournal({ address: environment.TROUPE_JOURNAL });
    expect(await driversOf(journal, runId(run))).toEqual(new Map([[run, [worker.child.pid]]]));
    await journal.close();
    expect(errors).toEqual([]);
  });

  test('[U8] where this machine is alone there is no such page to go to', async () => {
    const { page } = await tab(await open(), (await serve(scriptedProject({}))).url);
    await page.getByRole('link', { name: 'Workflows' }).waitFor();
    expect(await page.getByRole('link', { name: 'Workers' }).count()).toBe(0);
  });
});
