import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { RunView } from '../../../src/protocol/run-view.ts';
import type { Sandbox } from '../../cli/sandbox.ts';
import { serve, type Served } from '../server/served.ts';
import { eventually, expectAccessibleInBoth, pressTogether, showAs, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { demoProject } from './demo.ts';
import { demoScenario, TASK } from './demo-files.ts';
import { heldModel, type HeldModel } from './held-model.ts';

const CODERS = ['fast_coder', 'base_coder', 'smart_coder'];
const REVIEWERS = ['smart_reviewer', 'base_reviewer'];

interface Story {
  readonly sandbox: Sandbox;
  readonly served: Served;
  readonly model: HeldModel;
  readonly context: BrowserContext;
  readonly page: Page;
}

const runOf = (page: Page): string => decodeURIComponent(new URL(page.url()).pathname.replace('/runs/', ''));

const panel = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });

async function shown({ sandbox }: Story, run: string): Promise<RunView> {
  return JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as RunView;
}

/** A run is begun by the form, and is found on the board among those at work. */
async function begins({ page }: Story): Promise<string> {
  await page.getByText('No runs yet').waitFor();
  await page.getByRole('button', { name: 'Start a run' }).first().click();
  const form = page.getByRole('dialog', { name: 'Start a run' });
  await form.getByLabel('Workflow').selectOption('slug_review');
  await form.getByLabel('task').fill(TASK);
  await form.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/\/runs\/\w+/);
  const run = runOf(page);
  await page.getByRole('link', { name: 'Board', exact: true }).click();
  const card = page.getByRole('region', { name: /^Running/ }).getByRole('article');
  for (const coder of CODERS) await card.getByText(coder).waitFor();
  await card.getByRole('link', { name: TASK }).click();
  await page.getByRole('heading', { name: TASK }).waitFor();
  return run;
}

/** Who does what: by the agents' columns, in the graph, in its outline and on the time line. */
async function seesWhoDoesWhat({ page }: Story): Promise<void> {
  for (const coder of CODERS) {
    await page.getByRole('region', { name: coder, exact: true }).getByText('running').waitFor();
    await page.getByRole('button', { name: new RegExp(`^${coder}: implement .*under way`) }).waitFor();
  }
  const graph = page.getByRole('region', { name: 'Workflow' });
  await graph.getByRole('button', { name: /^pool implement .*active, visit 1$/ }).waitFor();
  await page.getByRole('button', { name: 'Show the outline' }).click();
  await graph
    .getByRole('treeitem', { name: /implement/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Show the graph' }).click();
  await expectAccessibleInBoth(page);
}

/** It is asked everywhere, answered on the run's page, and answered everywhere. */
async function answers(story: Story, run: string): Promise<void> {
  const { page, context, served, sandbox } = story;
  const { page: second } = await tab(context, `http://127.0.0.1:${served.port}/inbox`);
  const question = page.getByRole('region', { name: 'Questions of this run' });
  await question.getByText('Which implementation do you choose, and is it revised first?').waitFor();
  await second.getByText('Which implementation do you choose, and is it revised first?', { exact: true }).waitFor();
  await expect.poll(() => page.title(), eventually).toBe(`(1) ${TASK} · Troupe`);
  await page.getByText('1 open questions').waitFor({ state: 'attached' });
  const card = question.getByRole('article', { name: 'smart_coder' });
  for (const known of ['Green. Accents are kept', 'green, 4 passed', '2 files, +16 −0 lines', 'F3, major:'])
    await card.getByText(known).waitFor();
  await expectAccessibleInBoth(page);
  await showAs(second, { width: 390, height: 844 });
  await expectAccessibleInBoth(second);
  await second.getByRole('link', { name: 'See diff of base_coder' }).click();
  await second.getByText('replace(').first().waitFor();
  expect(new URL(second.url()).search).toBe('?tab=changes&workspace=base_coder');
  await second.goBack();
  const refused = await sandbox.troupe(['answer', run, 'q1', 'the smart one']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('ANSWER_INVALID')]);
  await page.keyboard.press('a');
  await card.getByRole('button', { name: 'Choose and revise: smart_coder' }).click();
  await second.getByText('Nothing waits for you').waitFor();
  await question.waitFor({ state: 'detached' });
  const late = await sandbox.troupe(['answer', run, 'q1', 'base_coder']);
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('QUESTION_CLOSED')]);
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await sandbox.troupe(['watch', run]);
  expect(await shown(story, run)).toMatchObject({ status: 'settled', outcome: 'ok' });
  await second.close();
}

/** Why one was not taken: the tests the engine ran, and the finding at its line. */
async function findsWhy({ page }: Story): Promise<void> {
  await panel(page, 'Problems').click();
  const review = page.getByRole('region', { name: 'The review' });
  await review.getByText('smart_coder was merged.').waitFor();
  await review.getByText('red, 1 passed, 2 failed').click();
  await review.getByText('nothing is left over at the ends').first().waitFor();
  await expectAccessibleInBoth(page);
  await panel(page, 'Debate').click();
  const matrix = page.getByRole('region', { name: 'Findings and where reviewers stand' });
  await matrix.getByText('changed its mind').waitFor();
  await page.getByRole('region', { name: 'Implementations side by side' }).getByText('red, 1 passed').waitFor();
  await matrix.getByRole('button', { name: /^F1 critical/ }).click();
  const finding = page.getByRole('complementary', { name: 'Finding F1' });
  await finding.getByText('The engine ran the tests, and two of them fail.').waitFor();
  await expectAccessibleInBoth(page);
  await finding.getByRole('button', { name: 'src/slug.js:2' }).click();
  const note = page.getByRole('article', { name: 'Finding F1' });
  await note.getByText('Only single spaces are joined').waitFor();
  expect(new URL(page.url()).searchParams.get('line')).toBe('2');
}

/** From the review it is done once more with other words; the new run is seen at work and says where it comes from. */
async function forks(story: Story, run: string): Promise<void> {
  const { page, model } = story;
  model.hold(...REVIEWERS);
  await page.getByRole('button', { name: /^pool review .*visit 1$/ }).click();
  await page
    .getByRole('group', { name: 'Visits of review' })
    .getByRole('button', { name: /^visit 1/ })
    .click();
  await page.keyboard.press('f');
  const dialog = page.getByRole('dialog', { name: 'Fork the run' });
  await dialog.getByLabel('task').fill('Add slug(title); think of accents');
  await dialog.getByText(`troupe fork ${run} --at review#1 --input 'task=Add slug(title); think of accents'`).waitFor();
  await expectAccessibleInBoth(page);
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
  await dialog.getByRole('link', { name: /^open / }).click();
  await page.waitForURL((url) => !url.pathname.includes(run));
  const fork = runOf(page);
  await page.getByRole('group', { name: 'Steering' }).getByRole('link', { name: run }).waitFor();
  for (const reviewer of REVIEWERS)
    await page.getByRole('region', { name: reviewer, exact: true }).getByText('running').waitFor();
  await pressTogether(page, 'g', 'r');
  await page
    .getByRole('region', { name: /^Running/ })
    .getByRole('link', { name: /think of accents/ })
    .click();
  model.letGo(...REVIEWERS);
  await page
    .getByRole('region', { name: 'Questions of this run' })
    .getByText('Which implementation do you choose')
    .waitFor();
  expect(await shown(story, fork)).toMatchObject({
    forkedFrom: { run },
    input: { task: 'Add slug(title); think of accents' },
  });
}

describe.skipIf(CHROMIUM === null)('the demo, as a new person meets it', () => {
  const { open } = useBrowser();

  test(
    '[U2] in light and in dark one sees who does what, answers, finds why one failed, and forks from there',
    { timeout: 480_000 },
    async () => {
      const model = await heldModel(demoScenario());
      model.hold(...CODERS);
      const sandbox = demoProject({ url: model.url, isPicked: true });
      const served = await serve(sandbox);
      const context = await open();
      const { page, errors, outside } = await tab(context, served.url);
      const story: Story = { sandbox, served, model, context, page };
      const run = await begins(story);
      await seesWhoDoesWhat(story);
      model.letGo(...CODERS);
      await answers(story, run);
      await findsWhy(story);
      await forks(story, run);
      expect([errors, outside]).toEqual([[], []]);
    },
  );
});
