import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createSandbox, jsonLines } from '../../cli/sandbox.ts';
import { serve } from '../server/served.ts';
import { entry, eventually, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { demoProject, playDemo } from './demo.ts';

const talk = (page: Page) => page.getByRole('region', { name: 'Conversation' });

const parameter = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

/** Tool calls unfold to what was given and what came back, and r shows the JSON. */
async function unfolds(page: Page): Promise<void> {
  await talk(page).getByText('First I look at what the tests want.').waitFor();
  const call = talk(page).getByRole('button', { name: /^read_file test\/slug\.test\.js/ });
  await call.click();
  const result = talk(page).getByRole('region', { name: 'Result of read_file' });
  await result.getByText('words are joined by dashes').waitFor();
  await call.press('r');
  await talk(page).getByText('"name": "read_file"').waitFor();
  await expectAccessible(page);
}

/** The same through the eyes of one agent, with the words of its role. */
async function readsAsAgent(page: Page): Promise<void> {
  await page.getByLabel('Through whose eyes').selectOption('base_coder');
  await talk(page).getByText('assistant', { exact: true }).first().waitFor();
  await talk(page).getByText('tool', { exact: true }).first().waitFor();
  await page.getByText('Its prompt begins with the role').click();
  await page.getByRole('region', { name: 'Words of the role' }).waitFor();
  expect(parameter(page, 'as')).toBe('base_coder');
  await expectAccessible(page);
}

/** A text is found from anywhere, with an exact count, and leads to its message; so does the address. */
async function searches(page: Page): Promise<void> {
  const column = page.getByRole('region', { name: 'smart_coder', exact: true });
  await column.getByText('And the tests, mine among them.').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('mine among them');
  const hits = page.getByRole('region', { name: 'Where it stands' });
  await hits.getByText(/^\d+ times in \d+ records$/).waitFor();
  // While it is typed there are hits of what was typed so far.
  const hit = hits.getByRole('button', { name: /call\.answered.*mine among them/ });
  await hit.first().click();
  await expect.poll(() => parameter(page, 'seq'), eventually).toMatch(/^\d+$/);
  const chosen = talk(page).locator('[aria-current=true]').getByText('And the tests, mine among them.');
  await chosen.waitFor();
  await page.goto(page.url());
  await chosen.waitFor();
}

/** Records by kind and by text; one of them by its address. */
async function filtersRecords(page: Page): Promise<void> {
  await page.getByText('"kind": "state.entered"').waitFor();
  await page.getByLabel('Kind').selectOption('run.settled');
  await page.getByText('1 record', { exact: true }).waitFor();
  await page.getByLabel('Text in the records').fill('nobody ever said this');
  await page.getByText('No record fits').waitFor();
  await expectAccessible(page);
}

describe.skipIf(CHROMIUM === null)('what was said and done', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] [SM3] conversations unfold, are read as an agent sees them, searched and linked to; records are filtered; what is empty says why', async () => {
    const sandbox = demoProject();
    const run = await playDemo(sandbox);
    const served = await serve(sandbox);
    const { page, errors, outside } = await tab(await open({ theme: 'dark' }), served.url);
    const address = `http://127.0.0.1:${served.port}/runs/${run}`;
    await page.goto(`${address}?tab=transcript&context=base_coder`);
    await unfolds(page);
    await readsAsAgent(page);
    await page.goto(`${address}?tab=agents`);
    await searches(page);
    await page.goto(`${address}?tab=events&seq=2`);
    await filtersRecords(page);
    await page.goto(`${address}?tab=artifacts`);
    await page.getByText('No phase of this workflow declares outputs').waitFor();
    await page.goto(`${address}?tab=problems`);
    await page.getByText('No call failed, no tool was refused and no limit was met.').waitFor();
    expect([errors, outside]).toEqual([[], []]);
  });
});

/** Words that mean harm in a plan, a tool that leads out of the workspace, and one that fails. */
const HOSTILE = `rules:
  - when: { agent: planning }
    steps:
      - say: "Look <img src=x onerror=alert(1)> \\u202Egnp.exe [here](javascript:alert(1)) ![x](http://example.invalid/x.png)"
        tools:
          - { name: submit_output, arguments: { name: plan, content: "# Plan <script>alert(1)</script>\\n\\n![far](http://example.invalid/a.png)\\n" } }
          - { name: read_file, arguments: { path: nothing.txt } }
      - Planned.
`;

const PLAN = `name: plan
phases:
  - id: planning
    agent_type: planning
    input: { user_request: '\${user_request}' }
    output: { plan: specs/plan.md }
`;

const CONFIG = `models:
  fast: { provider: scripted, scenario: .troupe/hostile.yaml }
  base: { provider: scripted, scenario: .troupe/hostile.yaml }
  smart: { provider: scripted, scenario: .troupe/hostile.yaml }
`;

describe.skipIf(CHROMIUM === null)('what was made', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] an artifact is shown as text, with where it comes from; nothing in it runs or is loaded', async () => {
    const sandbox = createSandbox({
      '.troupe/hostile.yaml': HOSTILE,
      '.troupe/config.yaml': CONFIG,
      '.troupe/workflows/plan.yaml': PLAN,
    });
    const { stdout, stderr } = await sandbox.troupe([
      'run',
      '.troupe/workflows/plan.yaml',
      'Plan it',
      '--no-input',
      '--json',
    ]);
    const [first] = jsonLines(stdout);
    if (first === undefined) throw new Error(stderr);
    const run = String(first['run']);
    const served = await serve(sandbox);
    const { page, errors, outside } = await tab(await open(), entry(served, `/runs/${run}?tab=artifacts`));
    await page
      .getByRole('navigation', { name: 'Artifacts' })
      .getByRole('button', { name: /specs\/plan\.md/ })
      .click();
    const content = page.getByRole('region', { name: 'Content' });
    await content.getByText('Plan <script>alert(1)</script>').waitFor();
    await content.getByText('Where it comes from').click();
    await content.getByText('with submit_output').waitFor();
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await talk(page).getByText('⟦U+202E⟧gnp.exe').waitFor();
    await talk(page).getByRole('button', { name: 'Show the artifact plan' }).click();
    await content.getByText('Plan <script>alert(1)</script>').waitFor();
    await page.getByRole('tab', { name: 'Problems' }).click();
    await page.getByRole('region', { name: 'On the way' }).getByText('read_file nothing.txt').waitFor();
    await expectAccessible(page);
    expect([errors, outside]).toEqual([[], []]);
  });
});
