import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scriptedProject } from '../../cli/projects.ts';
import type { Sandbox } from '../../cli/sandbox.ts';
import { serve, serveToRestart, type Served } from '../server/served.ts';
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
  let sandbox: Sandbox;
  let served: Served;
  // Each person reads the same run for the first time, from the server that came after the last one that died.
  beforeAll(async () => {
    sandbox = scriptedProject({}, { lasts: true });
    served = await serveToRestart(sandbox);
    await sandbox.troupe(['run', 'two_steps', '--input', 'task=alpha']);
  });
  afterAll(() => sandbox?.close());

  test.each(['**/graph*', '**/records?**', '**/tree'])(
    '[U2] the graph comes when the server does, though %s was never answered',
    async (pattern) => {
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
      served = await serve(sandbox, ['--port', String(served.port)]);
      await page.getByRole('button', { name: /^turn again/ }).waitFor();
      await page.getByText('Connection lost, trying again').waitFor({ state: 'detached' });
      expect(errors).toEqual([]);
    },
  );
});
