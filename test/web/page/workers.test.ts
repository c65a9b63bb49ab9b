import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmbeddedHost } from '../../../src/host/embedded/embedded-host.ts';
import { build, end, expression, to, work } from '../../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../../src/host/testing/test-world.ts';
import { openPostgresJournal } from '../../../src/journal/postgres/postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../../src/journal/postgres/testing/test-cluster.ts';
import { scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

describe.skipIf(CHROMIUM === null || !hasServer())('the page of the workers', SLOW, () => {
  const { open } = useBrowser();
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  /** It does nothing for an hour; a worker holds it all the same. */
  async function napping(address: string, project: string): Promise<string> {
    const journal = await openPostgresJournal({ address });
    const host = createEmbeddedHost(testWorld({ journal, answer: () => says('') }));
    const nap = work('nap', { kind: 'wait', ms: expression('3600000') }, [to('stop')]);
    const definition = build({ states: [nap, end('stop')] });
    const run = await host.start({ definition, input: {}, project, title: 'Sleep on it' });
    await host.shutdown();
    await journal.close();
    return run;
  }

  test('[U8] it lists who is alive, what they offer and what they drive, and who is gone', async () => {
    const sandbox = scriptedProject({});
    const environment = { TROUPE_JOURNAL: await cluster.database() };
    const run = await napping(environment.TROUPE_JOURNAL, sandbox.project);
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
    await line.getByRole('link', { name: 'Sleep on it' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/runs/${run}`);
    expect(errors).toEqual([]);
  });

  test('[U8] where this machine is alone there is no such page to go to', async () => {
    const { page } = await tab(await open(), (await serve(scriptedProject({}))).url);
    await page.getByRole('link', { name: 'Workflows' }).waitFor();
    expect(await page.getByRole('link', { name: 'Workers' }).count()).toBe(0);
  });
});
