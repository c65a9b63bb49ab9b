import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { scriptedProject } from '../../cli/projects.ts';
import { path, serve } from '../server/served.ts';
import { entry, eventually, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

/** A run in a run in a run; the innermost one asks. */
const OUTER = `import { defineWorkflow } from 'troupe';
const innermost = defineWorkflow({
  name: 'innermost',
  output: 'colour',
  data: { colour: '' },
  states: {
    start: { transitions: ['choose'] },
    choose: {
      work: { kind: 'ask', question: "'Which colour?'", choices: ['red', 'blue'] },
      transitions: [{ target: 'done', assign: 'this.common_data.colour = result' }],
    },
    done: { kind: 'end' },
  },
});
const inner = defineWorkflow({
  name: 'inner',
  data: {},
  states: {
    start: { transitions: ['deeper'] },
    deeper: { work: { kind: 'call', workflow: innermost }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
export const outer = defineWorkflow({
  name: 'outer',
  data: {},
  states: {
    start: { transitions: ['below'] },
    below: { work: { kind: 'call', workflow: inner }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
`;

const chosen = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
const node = (page: Page, name: RegExp) => page.getByRole('region', { name: 'Workflow' }).getByRole('button', { name });

describe.skipIf(CHROMIUM === null)('runs inside of runs', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] what a run calls is unfolded in place, chosen and linked to, folded again, and answered from above', async () => {
    const served = await serve(scriptedProject({ 'outer.ts': OUTER }));
    const { body } = await served.post('/api/runs', { workflow: 'outer.ts', input: {} });
    const run = String(body['run']);
    const { page, errors } = await tab(await open(), entry(served, `/runs/${run}`));
    // Where something goes on it is open at first, as deep as it goes.
    await node(page, /^ask choose .*asks, visit 1$/).waitFor();
    await expectAccessible(page);
    await node(page, /^ask choose/).click();
    await expect.poll(() => chosen(page).get('run'), eventually).toMatch(new RegExp(`^${run}/t\\d+/t\\d+$`));
    expect(chosen(page).get('state')).toBe('choose');
    await page
      .getByRole('group', { name: 'Visits of choose' })
      .getByRole('button', { name: /^visit 1/ })
      .waitFor();
    const lanes = page.locator('[data-lanes] > div');
    expect(await lanes.first().textContent()).toMatch(/^You/);
    await lanes
      .first()
      .getByRole('button', { name: /Which colour\?/ })
      .waitFor();
    await page.reload();
    await node(page, /^ask choose/)
      .and(page.locator('[aria-pressed="true"]'))
      .waitFor();
    await page.getByRole('button', { name: 'Hide what is inside of below' }).click();
    await node(page, /^ask choose/).waitFor({ state: 'detached' });
    // Folded, it still says where it is inside.
    await node(page, /^call below deeper › choose, active/)
      .or(node(page, /^call below .*choose/))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Show what is inside of below' }).click();
    await node(page, /^call deeper/).waitFor();
    await page.getByRole('button', { name: 'Show the outline' }).click();
    await page
      .getByRole('tree')
      .getByRole('treeitem', { name: /deeper/ })
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Questions of this run' }).getByRole('button', { name: 'blue' }).click();
    await page.getByText('This run needs you').waitFor({ state: 'detached' });
    await expect.poll(async () => (await served.get(path(run))).body['status'], eventually).toBe('settled');
    expect(errors).toEqual([]);
  });
});
