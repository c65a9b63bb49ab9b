import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { entry, eventually, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

/** A run that calls another, and asks at the end. */
const OUTER = `import { defineWorkflow } from 'troupe';
const inner = defineWorkflow({
  name: 'inner', data: {},
  states: { start: { transitions: ['within'] }, within: { transitions: ['done'] }, done: { kind: 'end' } },
});
export const outer = defineWorkflow({
  name: 'outer', data: {},
  states: {
    start: { transitions: ['below'] },
    below: { work: { kind: 'call', workflow: inner }, transitions: ['choose'] },
    choose: { work: { kind: 'ask', question: "'Which colour?'", choices: ['red'] }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
`;

const said = (page: Page, key: string): string | null => new URL(page.url()).searchParams.get(key);
const inside = (page: Page) =>
  page
    .getByRole('region', { name: 'Workflow' })
    .getByRole('button', { name: /within/ })
    .first();
const count = (page: Page) => page.getByRole('tabpanel').getByRole('status');

describe.skipIf(CHROMIUM === null)('the address says what is looked at', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] what records are looked for and what is unfolded outlives a reload and going back, and a link shows the same', async () => {
    const served = await serve(scriptedProject({ 'outer.ts': OUTER }));
    const { body } = await served.post('/api/runs', { workflow: 'outer.ts', input: {} });
    const run = String(body['run']);
    const context = await open();
    const { page, errors } = await tab(context, entry(served, `/runs/${run}?tab=events`));
    await page.getByText('This run needs you').waitFor();

    // What is inside of a step that is over is folded at first.
    await page.getByRole('button', { name: 'Show what is inside of below' }).click();
    await inside(page).waitFor();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('state.entered');
    await expect.poll(() => said(page, 'kind'), eventually).toBe('state.entered');
    await page.getByRole('combobox', { name: 'Run' }).selectOption({ label: 't1' });
    await expect.poll(() => said(page, 'only'), eventually).toBe(`${run}/t1`);
    await page.getByRole('searchbox', { name: 'Text in the records' }).fill('{"within"}');
    await expect.poll(() => said(page, 'text'), eventually).toBe('{"within"}');
    await count(page).getByText('0 records').waitFor();
    await page.getByRole('searchbox', { name: 'Text in the records' }).fill('within');
    await count(page)
      .getByText(/^[12] records?$/)
      .waitFor();
    const shown = await count(page).textContent();
    expect(said(page, 'open')).not.toBeNull();
    const address = page.url();

    await page.reload();
    await expectSame(page, shown);
    await page.getByRole('link', { name: 'Board', exact: true }).click();
    await page.getByRole('heading', { name: 'Board of runs' }).waitFor();
    await page.goBack();
    await expectSame(page, shown);
    const other = await context.newPage();
    await other.goto(address);
    await expectSame(other, shown);

    // Folded again is something that was said, too.
    await page.getByRole('button', { name: 'Hide what is inside of below' }).click();
    await inside(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Show what is inside of below' }).waitFor();
    expect(await inside(page).count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

async function expectSame(page: Page, shown: string | null): Promise<void> {
  await inside(page).waitFor();
  await count(page)
    .getByText(shown ?? '', { exact: true })
    .waitFor();
  expect(await page.getByRole('searchbox', { name: 'Text in the records' }).inputValue()).toBe('within');
  expect(await page.getByRole('combobox', { name: 'Kind' }).inputValue()).toBe('state.entered');
}
