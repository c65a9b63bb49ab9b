import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ASKING, scriptedProject } from '../../cli/projects.ts';
import { path, serve } from '../server/served.ts';
import { eventually, SLOW, tab, useBrowser } from './browser.ts';
import { FULL_CHROMIUM } from './chromium-program.ts';

/** The browser's own notices, kept as they are made; the person looks elsewhere. */
async function noticing(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const made: Notification[] = [];
    class Kept extends Notification {
      constructor(title: string, options?: object) {
        super(title, options);
        made.push(this);
      }
    }
    Object.assign(globalThis, { Notification: Kept, made });
    document.hasFocus = () => false;
  });
}

const madeOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    (globalThis as unknown as { made: readonly Notification[] }).made.map(({ title, body }) => `${title}: ${body}`),
  );

/** What is said to who cannot look, from now on. */
const listen = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const region = document.querySelector('p[aria-live="polite"]');
    Object.assign(globalThis, { heard: '' });
    if (region === null) return;
    const note = (): void =>
      void Object.assign(globalThis, { heard: `${Reflect.get(globalThis, 'heard')} ${region.textContent}` });
    new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
  });

const heard = (page: Page): Promise<string> => page.evaluate(() => String(Reflect.get(globalThis, 'heard')));

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

const permission = (page: Page): Promise<string> => page.evaluate(() => Notification.permission);

describe.skipIf(FULL_CHROMIUM === null)('notifications of the browser', SLOW, () => {
  const { open } = useBrowser(FULL_CHROMIUM);

  test('[U2] with the permission of the browser a question is notified, the notice leads to its run, and the switch ends it', async () => {
    const served = await serve(scriptedProject({ 'asking.ts': ASKING }));
    const context = await open();
    await context.grantPermissions(['notifications'], { origin: `http://127.0.0.1:${served.port}` });
    await noticing(context);
    const { page, errors } = await tab(context, served.url);
    expect(await permission(page)).toBe('granted');
    // A browser that would allow it is not used before somebody wants it.
    await choose(page, 'Notify me when a run needs me');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Stop notifications' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    const { body } = await served.post('/api/runs', { workflow: 'asking.ts', input: {} });
    const run = String(body['run']);
    await expect.poll(() => madeOn(page), eventually).toEqual([`Troupe needs you: ${run} asks: Which colour?`]);
    await page.evaluate(() => {
      const [notice] = (globalThis as unknown as { made: readonly Notification[] }).made;
      notice?.dispatchEvent(new Event('click'));
    });
    await page.waitForURL(`**/runs/${run}`);
    await page.getByText('This run needs you').waitFor();

    await page.goto(`http://127.0.0.1:${served.port}/`);
    await choose(page, 'Stop notifications');
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    const { body: next } = await served.post('/api/runs', { workflow: 'asking.ts', input: {} });
    // The count and the notices have one source.
    await expect.poll(() => page.title(), eventually).toBe('(2) Board · Troupe');
    await listen(page);
    await served.post(path(String(next['run']), '/answer'), { question: 'q1', text: 'blue' });
    await expect.poll(() => heard(page), eventually).toContain(`${String(next['run'])} is over: ok.`);
    expect([await madeOn(page), errors]).toEqual([[], []]);
    // The choice outlives the page.
    await page.reload();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Notify me when a run needs me' }).waitFor();
  });

  test('[U2] a browser that does not allow it is said so, and nothing is switched on', async () => {
    const served = await serve(scriptedProject());
    const context = await open();
    await context.clearPermissions();
    const { page } = await tab(context, served.url);
    expect(await permission(page)).not.toBe('granted');
    await choose(page, 'Notify me when a run needs me');
    await page.getByText('The browser does not allow notifications here.').waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Notify me when a run needs me' }).waitFor();
  });
});
