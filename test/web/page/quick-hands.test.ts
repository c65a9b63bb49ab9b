import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { RunCard } from '../../../src/protocol/web/run-card.ts';
import type { StreamBatch } from '../../../src/protocol/web/stream.ts';
import { WRITING, writingProject, writingRun } from '../../cli/file-projects.ts';
import { ASKING, configFor, scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { entry, eventually, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { heldModel } from './held-model.ts';

/** From now on the page gets no frame, as on a machine that is busy. */
const holdFrames = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const waiting: (() => void)[] = [];
    const own = globalThis.requestAnimationFrame;
    const letGo = (): void => {
      globalThis.requestAnimationFrame = own;
      for (const frame of waiting) own(frame);
    };
    Object.assign(globalThis, { requestAnimationFrame: (frame: () => void) => waiting.push(frame), letGo });
  });

const letFramesGo = (page: Page): Promise<void> =>
  page.evaluate(() => (globalThis as unknown as { letGo: () => void }).letGo());

/** What has the focus: its name, and what is written in it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document;
    return `${activeElement?.getAttribute('aria-label') ?? activeElement?.textContent.trim()}: ${Reflect.get(activeElement ?? {}, 'value')}`;
  });

/** Requests of this kind wait, and are counted. */
async function held(page: Page, pattern: string): Promise<readonly Route[]> {
  const routes: Route[] = [];
  await page.route(pattern, (route) => void routes.push(route));
  return routes;
}

async function pressTwice(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.keyboard.press(key);
}

describe.skipIf(CHROMIUM === null)('a person who is quicker than the page', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] what is typed right after the keys that open a dialog stands in its field', async () => {
    const served = await serve(scriptedProject());
    const { page, errors } = await tab(await open(), served.url);
    await page.getByText('No runs yet').waitFor();
    await holdFrames(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('alpha');
    expect(await focused(page)).toBe('Search for runs, workflows and actions: alpha');
    await letFramesGo(page);
    await page.getByText('Nothing here has that name.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body } = await served.post('/api/runs', { workflow: 'two_steps', input: { task: 'beta' } });
    await page.getByRole('link', { name: 'beta' }).click();
    await page.waitForURL(`**/runs/${String(body['run'])}`);
    expect(errors).toEqual([]);
  });

  test('[U2] a button that becomes usable while it has the focus keeps it', async () => {
    const model = await heldModel(WRITING);
    model.hold('worker');
    const served = await serve(writingProject({ '.troupe/config.yaml': configFor(model.url) }));
    const { body } = await served.post('/api/runs', { workflow: 'two_steps', input: { task: 'Write it' } });
    const { page, errors } = await tab(await open(), entry(served, `/runs/${String(body['run'])}`));
    const steering = page.getByRole('group', { name: 'Steering' });
    const deliver = steering.getByRole('button', { name: 'Deliver', exact: true });
    await deliver.and(page.locator('[aria-disabled="true"]')).focus();
    model.letGo('worker');
    await deliver.and(page.locator(':not([aria-disabled])')).waitFor();
    expect(await focused(page)).toMatch(/^Deliver:/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Deliver the result' }).waitFor();
    expect(errors).toEqual([]);
  });

  test('[U2] an answer that is sent twice by the keyboard is given once, and nothing is refused', async () => {
    const served = await serve(
      scriptedProject({ 'asking.ts': ASKING.replace("choices: ['red', 'blue']", 'choices: []') }),
    );
    const { body } = await served.post('/api/runs', { workflow: 'asking.ts', input: {} });
    const { page, errors } = await tab(await open(), entry(served, `/runs/${String(body['run'])}`));
    await page.getByRole('textbox', { name: 'Your answer' }).fill('green');
    const answers = await held(page, '**/answer');
    await pressTwice(page, 'Control+Enter');
    await expect.poll(() => answers.length, eventually).toBeGreaterThan(0);
    await Promise.all(answers.map((route) => route.continue()));
    await page.getByText('This run needs you').waitFor({ state: 'detached' });
    expect([answers.length, await page.getByRole('alert').allTextContents(), errors]).toEqual([1, [], []]);
  });

  test('[U2] a comment that is sent twice by the keyboard begins one fork', async () => {
    const sandbox = writingProject();
    const { run } = await writingRun(sandbox);
    const served = await serve(sandbox);
    const { page, errors } = await tab(await open(), entry(served, `/runs/${run}?tab=changes`));
    await page.getByRole('button', { name: 'Comment on src/made.txt' }).click();
    await page.getByLabel('About src/made.txt').fill('Say it once.');
    const forks = await held(page, '**/fork');
    await pressTwice(page, 'Control+Enter');
    await expect.poll(() => forks.length, eventually).toBeGreaterThan(0);
    await Promise.all(forks.map((route) => route.continue()));
    await page.getByText('The fork has begun.').waitFor();
    expect([forks.length, errors]).toEqual([1, []]);
  });
});

const batch = (card: RunCard): string => {
  const said: StreamBatch = { records: [], cards: [card], texts: [], lost: [] };
  return `event: batch\ndata: ${JSON.stringify(said)}\n\n`;
};

describe.skipIf(CHROMIUM === null)('a server that is quicker than the page', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] news that come in one piece are all said to a person who cannot look', async () => {
    const served = await serve(scriptedProject({ 'asking.ts': ASKING }));
    const started = await served.post('/api/runs', { workflow: 'asking.ts', input: {} });
    const run = String(started.body['run']);
    const asks = async (): Promise<RunCard | undefined> =>
      ((await served.get('/api/runs')).body['cards'] as readonly RunCard[]).find(
        ({ details }) => details?.questions[0],
      );
    await expect.poll(asks, eventually).toBeDefined();
    const card = (await asks()) as RunCard;
    const answered: RunCard = { ...card, status: 'running', details: { ...card.details, questions: [] } as never };
    // A page on which nothing but the news is drawn.
    const { page } = await tab(await open(), entry(served, '/workflows'));
    const over: RunCard = { ...answered, status: 'settled', outcome: 'ok' };
    const news = [card, answered, over].map(batch).join('');
    const listening = Promise.withResolvers<undefined>();
    // Each stream waits, also one that the page asked for before it was loaded again and that is not read any more.
    await page.route('**/api/stream', async (route) => {
      await listening.promise;
      await route.fulfill({ headers: { 'content-type': 'text/event-stream' }, body: news }).catch(() => undefined);
    });
    await page.reload();
    await page.locator('p[aria-live="polite"]').waitFor({ state: 'attached' });
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      const region = document.querySelector('p[aria-live="polite"]');
      if (region === null) return;
      new MutationObserver(() => heard.push(region.textContent)).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    listening.resolve(undefined);
    const heard = (): Promise<string> =>
      page.evaluate(() => (globalThis as unknown as { heard: readonly string[] }).heard.join(' '));
    await expect.poll(heard, eventually).toContain(`${run} is over: ok.`);
    expect(await heard()).toContain(`A question of ${run} was answered.`);
  });
});
