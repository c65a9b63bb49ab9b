import { describe, expect, test } from 'vitest';
import { scriptedProject } from '../../cli/projects.ts';
import { serve, serveToRestart } from '../server/served.ts';
import { eventually, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

describe.skipIf(CHROMIUM === null)('staying up to date', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] a page lives through a restart of its server, says so meanwhile, and misses nothing', async () => {
    const sandbox = scriptedProject();
    const served = await serveToRestart(sandbox);
    const { page } = await tab(await open(), served.url);
    await page.getByText('No runs yet').waitFor();
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    served.running.child.kill('SIGINT');
    await served.running.ended;
    await page.getByText('Connection lost, trying again').waitFor();
    await sandbox.troupe(['run', 'two_steps', '--input', 'task=made meanwhile']);
    const again = await serve(sandbox, ['--port', String(served.port)]);
    await page.getByRole('link', { name: 'made meanwhile' }).waitFor();
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    expect(await page.getByText('Connection lost').count()).toBe(0);
    await again.post('/api/runs', { workflow: 'two_steps', input: { task: 'made afterwards' } });
    await page.getByRole('link', { name: 'made afterwards' }).waitFor();
  });

  test('[U2] eight tabs share one stream, and the next leads when the first is closed', async () => {
    const served = await serve(scriptedProject());
    const context = await open();
    const tabs = [await tab(context, served.url)];
    const address = `http://127.0.0.1:${served.port}/`;
    for (let count = 2; count <= 8; count += 1) tabs.push(await tab(context, address));
    const start = (task: string) => served.post('/api/runs', { workflow: 'two_steps', input: { task } });
    const seen = (task: string) =>
      Promise.all(tabs.map(({ page }) => page.getByRole('link', { name: task }).waitFor()));
    await start('for all eight');
    await seen('for all eight');
    await tabs.shift()?.page.close();
    await start('for the other seven');
    await seen('for the other seven');
    for (const { page } of tabs)
      await expect.poll(() => page.getByRole('button', { name: 'Live', exact: true }).count(), eventually).toBe(1);
  });
});
