import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ASKING, scriptedProject } from '../../cli/projects.ts';
import { path, serve, type Served } from '../server/served.ts';
import { eventually, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

interface Notice {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
}

/** A browser in which the person looks elsewhere, and whose notices are kept instead of shown: a test has no desktop. */
async function lookingElsewhere(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const notices: unknown[] = [];
    class Notice extends EventTarget {
      static permission = 'default';
      static async requestPermission(): Promise<string> {
        Notice.permission = 'granted';
        return Notice.permission;
      }
      constructor(title: string, { body, tag }: { body: string; tag: string }) {
        super();
        notices.push({ title, body, tag });
      }
    }
    Object.assign(globalThis, { Notification: Notice, notices });
    document.hasFocus = () => false;
  });
}

const noticesOn = (page: Page): Promise<readonly Notice[]> =>
  page.evaluate(() => (globalThis as unknown as { notices: readonly Notice[] }).notices);

async function started(served: Served): Promise<string> {
  const { body } = await served.post('/api/runs', { workflow: 'asking.ts', input: {} });
  return String(body['run']);
}

describe.skipIf(CHROMIUM === null)('when a person is needed', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] a user who looks elsewhere is notified once for each question and at the end, by the browser, the title and the icon', async () => {
    const served = await serve(scriptedProject({ 'asking.ts': ASKING }));
    const context = await open();
    await lookingElsewhere(context);
    const { page } = await tab(context, served.url);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Notify me when a run needs me' }).click();
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    const runs = [await started(served), await started(served)].toSorted();
    await expect.poll(() => page.title(), eventually).toBe('(2) Board · Troupe');
    await expect
      .poll(() => page.locator('link[rel="icon"]').getAttribute('href'), eventually)
      .toContain('favicon-asks');
    await expect.poll(async () => (await noticesOn(page)).length, eventually).toBe(2);
    const asked = await noticesOn(page);
    expect(asked.map(({ title }) => title)).toEqual(['Troupe needs you', 'Troupe needs you']);
    expect(asked.map(({ body }) => body).toSorted()).toEqual(runs.map((run) => `${run} asks: Which colour?`));
    // Two notices with one tag would be one.
    expect(new Set(asked.map(({ tag }) => tag)).size).toBe(2);
    for (const run of runs) await served.post(path(run, '/answer'), { question: 'q1', text: 'blue' });
    await expect
      .poll(async () => (await noticesOn(page)).map(({ body }) => body), eventually)
      .toEqual(expect.arrayContaining(runs.map((run) => `${run} is over: ok.`)));
    await expect.poll(() => page.title(), eventually).toBe('Board · Troupe');
    expect(await page.locator('link[rel="icon"]').getAttribute('href')).not.toContain('asks');
  });

  test('[U2] a user of a screen reader hears of a question, that it was answered, and of the end', async () => {
    const served = await serve(scriptedProject({ 'asking.ts': ASKING }));
    const { page } = await tab(await open(), served.url);
    await page.locator('p[aria-live="polite"]').waitFor({ state: 'attached' });
    await page.evaluate(() => {
      const heard: string[] = [];
      const region = document.querySelector('p[aria-live="polite"]');
      Object.assign(globalThis, { heard });
      if (region !== null)
        new MutationObserver(() => heard.push(region.textContent)).observe(region, {
          childList: true,
          characterData: true,
          subtree: true,
        });
    });
    const heard = (): Promise<readonly string[]> =>
      page.evaluate(() => (globalThis as unknown as { heard: readonly string[] }).heard);
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    const run = await started(served);
    await expect.poll(async () => (await heard()).join('\n'), eventually).toContain(`${run} asks: Which colour?`);
    await served.post(path(run, '/answer'), { question: 'q1', text: 'blue' });
    await expect
      .poll(async () => (await heard()).join('\n'), eventually)
      .toContain(`A question of ${run} was answered.`);
    await expect.poll(async () => (await heard()).join('\n'), eventually).toContain(`${run} is over: ok.`);
  });
});
