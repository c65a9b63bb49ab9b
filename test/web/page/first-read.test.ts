import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { scriptedProject } from '../../cli/projects.ts';
import { serve, serveToRestart } from '../server/served.ts';
import { SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

/** Requests of this kind wait; tells when the first one is there, and lets them go. */
async function held(page: Page, pattern: string) {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    asked.resolve();
    await gate.promise;
    await route.continue().catch(() => undefined);
  });
  return { asked: asked.promise, letGo: () => gate.resolve() };
}

describe.skipIf(CHROMIUM === null)('a server that dies while a run is read for the first time', SLOW, () => {
  const { open } = useBrowser();

  test.each(['**/graph*', '**/records?**', '**/tree'])(
    '[U2] the graph comes when the server does, though %s was never answered',
    async (pattern) => {
      const sandbox = scriptedProject();
      const served = await serveToRestart(sandbox);
      const { body } = await served.post('/api/runs', { workflow: 'two_steps', input: { task: 'alpha' } });
      const run = String(body['run']);
      await sandbox.troupe(['watch', run]);
      const { page, errors } = await tab(await open(), served.url);
      await page.getByRole('link', { name: 'alpha' }).waitFor();
      const { asked, letGo } = await held(page, pattern);
      await page.getByRole('link', { name: 'alpha' }).click();
      await asked;
      served.running.child.kill('SIGKILL');
      await served.running.ended;
      letGo();
      await page.getByText('Connection lost, trying again').waitFor();
      expect(await page.getByRole('button', { name: /^turn again/ }).count()).toBe(0);
      await serve(sandbox, ['--port', String(served.port)]);
      await page.getByRole('button', { name: /^turn again/ }).waitFor();
      await page.getByText('Connection lost, trying again').waitFor({ state: 'detached' });
      expect(errors).toEqual([]);
    },
  );
});
