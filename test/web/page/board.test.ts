import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ASK_THEN_WORK, scriptedProject } from '../../cli/projects.ts';
import { path, serve, type Served } from '../server/served.ts';
import { eventually, expectAccessible, pressTogether, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

const column = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });

async function started(
  served: Served,
  workflow: string,
  input: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { body } = await served.post('/api/runs', { workflow, input });
  return String(body['run']);
}

describe.skipIf(CHROMIUM === null)('the board', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] a run is started from a form that says at the field what is wrong, and shows its command', async () => {
    const served = await serve(scriptedProject());
    const { page, errors } = await tab(await open(), served.url);
    await page.getByRole('button', { name: 'Start a run' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Start a run' });
    await dialog.getByLabel('Workflow').selectOption('two_steps');
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await dialog.getByText('This is required.').waitFor();
    expect(await page.evaluate('document.activeElement?.dataset.field')).toBe('task');
    await expectAccessible(page);
    await dialog.getByLabel('task').fill("Write <b>it's</b> \u202Eback");
    await dialog.getByText("troupe run two_steps --input 'task=Write <b>it'\\''s</b> ⟦U+202E⟧back'").waitFor();
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForURL(/\/runs\//);
    await page.getByRole('heading', { name: "Write <b>it's</b>" }).waitFor();
    await pressTogether(page, 'g', 'r');
    await column(page, 'Done').getByRole('link', { name: "Write <b>it's</b>" }).waitFor();
    expect(errors).toEqual([]);
  });

  test('[U2] runs that are done leave the board together, and are found in the archive', async () => {
    const sandbox = scriptedProject();
    const served = await serve(sandbox);
    const { page, errors } = await tab(await open(), served.url);
    for (const task of ['One', 'Two']) await sandbox.troupe(['watch', await started(served, 'two_steps', { task })]);
    await column(page, 'Done').getByRole('link', { name: 'Two' }).waitFor();
    for (const name of ['Running', 'Needs you', 'Ready', 'Failed']) await column(page, name).waitFor();
    await expectAccessible(page);
    await column(page, 'Done').getByRole('button', { name: 'Archive all 2' }).click();
    await page.getByText('2 runs archived.').waitFor();
    await page.getByRole('button', { name: 'Archived' }).click();
    await column(page, 'Done').getByText('archived', { exact: true }).nth(1).waitFor();
    expect(errors).toEqual([]);
  });

  test('[U2] a question is answered on its card, and every other tab sees that it is', async () => {
    const served = await serve(scriptedProject({ 'asking.ts': ASK_THEN_WORK }));
    const context = await open();
    const { page } = await tab(context, served.url);
    await page.getByText('No runs yet').waitFor();
    const run = await started(served, 'asking.ts');
    const card = column(page, 'Needs you').getByRole('article');
    await card.getByRole('button', { name: 'blue' }).waitFor();
    await expect.poll(() => page.title(), eventually).toBe('(1) Board · Troupe');
    const { page: inbox } = await tab(context, `http://127.0.0.1:${served.port}/inbox`);
    await inbox.getByRole('button', { name: 'blue' }).waitFor();
    await expectAccessible(inbox);
    const { page: runPage } = await tab(context, `http://127.0.0.1:${served.port}/runs/${run}`);
    await runPage.getByText('This run needs you').waitFor();
    await card.getByRole('button', { name: 'blue' }).click();
    await column(page, 'Done').getByRole('article').waitFor();
    await inbox.getByText('Nothing waits for you').waitFor();
    await runPage.getByText('This run needs you').waitFor({ state: 'detached' });
    await expect.poll(() => page.title(), eventually).toBe('Board · Troupe');
    expect((await served.get(path(run))).body).toMatchObject({ status: 'settled', data: { colour: 'blue' } });
  });

  test('[U2] a second answer is refused at the question', async () => {
    const served = await serve(scriptedProject({ 'asking.ts': ASK_THEN_WORK }));
    const context = await open();
    const { page } = await tab(context, served.url);
    const run = await started(served, 'asking.ts');
    const answer = column(page, 'Needs you').getByRole('button', { name: 'red' });
    await answer.waitFor();
    // Somebody else is first, and this page has not heard of it when the button is pressed.
    await page.route('**/answer', async (route) => {
      await served.post(path(run, '/answer'), { question: 'q1', text: 'blue' });
      await route.continue();
    });
    await answer.click();
    await expect
      .poll(async () => (await page.getByRole('alert').allTextContents()).join(' '), eventually)
      .toMatch(/answered first: blue/);
  });

  test('[U2] search and filters stand in the address, and an empty board says why it is empty', async () => {
    const served = await serve(scriptedProject());
    await Promise.all(['alpha', 'beta'].map((task) => started(served, 'two_steps', { task })));
    const { page } = await tab(await open(), served.url);
    await page.getByRole('link', { name: 'alpha' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('bet');
    await page.getByRole('link', { name: 'alpha' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'beta' }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('q'), eventually).toBe('bet');
    await page.reload();
    await page.getByRole('link', { name: 'beta' }).waitFor();
    await page.getByLabel(/^Search in titles/).fill('gamma');
    await page.getByText('No run fits').waitFor();
    await page.getByRole('button', { name: 'Show all runs' }).click();
    await page.getByRole('link', { name: 'alpha' }).waitFor();
    await expectAccessible(page);
  });

  test('[U2] the palette finds runs, workflows and actions; ? lists the keys', async () => {
    const served = await serve(scriptedProject());
    const run = await started(served, 'two_steps', { task: 'alpha' });
    const { page } = await tab(await open({ theme: 'dark' }), served.url);
    await page.getByRole('link', { name: 'alpha' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('alpha');
    await page.getByRole('option', { name: /alpha/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/runs/${run}`);
    await page.getByRole('tab', { name: 'Changes' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Show the changes').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('d');
    await page.waitForURL('**tab=changes**');
    await pressTogether(page, 'g', 'w');
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    await expectAccessible(page);
    expect(new URL(page.url()).pathname).toBe('/workflows');
  });

  test('[U2] on a narrow screen the column that needs the person comes first', async () => {
    const served = await serve(scriptedProject({ 'asking.ts': ASK_THEN_WORK }));
    await started(served, 'asking.ts');
    const { page } = await tab(await open({ width: 390, height: 844 }), served.url);
    await page.getByRole('button', { name: 'blue' }).waitFor();
    const isWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
    expect(isWide).toBe(false);
    await expectAccessible(page);
  });
});
