import { spawnSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import type { RunView } from '../../../src/protocol/run-view.ts';
import { git, gitProject, WRITING, writingProject, writingRun } from '../../cli/file-projects.ts';
import { configFor, SCENARIO, scriptedProject } from '../../cli/projects.ts';
import { PROGRAM as TROUPE, type Sandbox } from '../../cli/sandbox.ts';
import { entered, WrittenRun } from '../live/written-run.ts';
import { serve, type Served } from '../server/served.ts';
import { eventually, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { heldModel } from './held-model.ts';

async function started(served: Served, task: string): Promise<string> {
  const { body } = await served.post('/api/runs', { workflow: 'two_steps', input: { task } });
  return String(body['run']);
}

const address = (served: Served, run: string, search = ''): string => {
  const url = new URL(served.url);
  url.pathname = `/runs/${run}`;
  url.search = search;
  return url.href;
};

async function view(sandbox: Sandbox, run: string): Promise<RunView> {
  return JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as RunView;
}

/** What it is when it is over. To ask again and again would take a processor of its own. */
async function ended(sandbox: Sandbox, run: string): Promise<RunView> {
  await sandbox.troupe(['watch', run]);
  return await view(sandbox, run);
}

/** Does in a shell what the page says would do the same. */
function paste(sandbox: Sandbox, text: string): { readonly code: number | null; readonly stderr: string } {
  const script = `troupe() { "$NODE" "$TROUPE" "$@"; }\n${text}\n`;
  const env = {
    PATH: process.env['PATH'],
    NODE: process.execPath,
    TROUPE,
    TROUPE_HOME: sandbox.home,
    HOME: sandbox.home,
  };
  const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: sandbox.project, env, encoding: 'utf8' });
  return { code: status, stderr };
}

/** A dialog of the steering bar; what came of it stands in it until it is closed. */
async function steer(page: Page, title: string, verb: string, fill: Readonly<Record<string, string>>): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  for (const [label, text] of Object.entries(fill)) await dialog.getByLabel(label).fill(text);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: verb, exact: true }).click();
  await dialog.getByRole('status').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
}

describe.skipIf(CHROMIUM === null)('steering a run', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] a fork begins at the step that was shown, also when the run has gone on meanwhile', async () => {
    const sandbox = scriptedProject();
    const served = await serve(sandbox);
    const journal = await openSqliteJournal({ home: sandbox.home });
    onTestFinished(() => journal.close());
    const run = await WrittenRun.begin(journal, 'moving', { title: 'It moves' });
    const { page } = await tab(await open(), address(served, 'moving', '?tab=events&dialog=fork'));
    const step = page.getByLabel('From the step');
    await step.waitFor();
    await run.add(entered('second'));
    await step.getByRole('option', { name: /^second/ }).waitFor({ state: 'attached' });
    expect(await step.inputValue()).toBe('first#1');
    await step.selectOption({ value: 'second#1' });
    await expect.poll(() => page.getByLabel('The same as a command').textContent(), eventually).toContain('second#1');
  });

  test('[U2] a run is paused, goes on and is cancelled; each is seen at once and stands in the journal', async () => {
    const model = await heldModel(SCENARIO);
    model.hold('worker');
    const sandbox = scriptedProject({ '.troupe/config.yaml': configFor(model.url) });
    const served = await serve(sandbox);
    const run = await started(served, 'Take your time');
    const { page, errors } = await tab(await open(), address(served, run));
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText(`troupe pause ${run}`).waitFor();
    await steer(page, 'Pause the run', 'Pause', { Reason: "it's late" });
    model.letOne('worker');
    await expect.poll(async () => (await view(sandbox, run)).held?.reason, eventually).toBe("it's late");
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('dialog').getByText("paused it: it's late").waitFor();
    await steer(page, 'Resume the run', 'Resume', {});
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.getByRole('button', { name: 'More to do with this run' }).click();
    await page.getByRole('menuitem', { name: 'Cancel the run' }).click();
    await steer(page, 'Cancel the run', 'Cancel the run', { Reason: 'no more' });
    await page.getByText('cancelled').first().waitFor();
    await expect.poll(async () => (await view(sandbox, run)).outcome, eventually).toBe('cancelled');
    expect(errors).toEqual([]);
  });

  test('[U2] a comment on a changed file goes to its agent while it works, and begins a fork when it is over', async () => {
    const model = await heldModel(WRITING);
    model.hold('worker');
    const sandbox = writingProject({ '.troupe/config.yaml': configFor(model.url) });
    const served = await serve(sandbox);
    const run = await started(served, 'Write it');
    const { page } = await tab(await open(), address(served, run, '?tab=changes'));
    model.letOne('worker');
    await page.getByRole('button', { name: 'Comment on src/made.txt' }).click();
    await page.getByLabel('About src/made.txt').fill('Say who made it.');
    const twin = page.getByText(`troupe tell ${run} worker 'About src/made.txt:`);
    await twin.waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Tell', exact: true }).click();
    await page.getByText('worker was told.').waitFor();
    model.letGo('worker');
    const { status, contexts } = await ended(sandbox, run);
    expect(status).toBe('settled');
    expect(JSON.stringify(contexts)).toContain('Say who made it.');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Comment on src/made.txt' }).click();
    await page.getByLabel('About src/made.txt').fill('And when.');
    await page.getByRole('button', { name: 'Fork and send' }).click();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.waitForURL((url) => !url.pathname.includes(run));
    const fork = new URL(page.url()).pathname.replace('/runs/', '');
    const forked = await ended(sandbox, fork);
    expect(forked.status).toBe('settled');
    expect(JSON.stringify(forked.contexts)).toContain('And when.');
  });

  test('[U2] [PD7] [PH7] a result becomes a branch, then files; a rollback is shown before it is done, and its command undoes it', async () => {
    const sandbox = gitProject();
    const { run } = await writingRun(sandbox);
    const served = await serve(sandbox);
    const { page } = await tab(await open(), address(served, run));
    await page.getByRole('region', { name: 'Outcome' }).getByRole('button', { name: 'Deliver' }).click();
    await page.getByText(`troupe deliver ${run} --apply`).waitFor();
    await page.getByText('As a branch').click();
    await steer(page, 'Deliver the result', 'Deliver', { 'Name of the branch': 'from-page' });
    expect(git(sandbox, 'show', 'from-page:src/made.txt')).toContain('changed again');
    await page.keyboard.press('m');
    const merge = page.getByRole('dialog', { name: 'Deliver the result' });
    await merge.getByText('Into my files').click();
    await merge.getByLabel('Check').fill('grep -q TWO src/kept.txt');
    const applying = await merge.getByText(`troupe deliver ${run} --apply`).innerText();
    await merge.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect(paste(sandbox, applying)).toMatchObject({ code: 0 });
    expect(sandbox.read('src/made.txt')).toContain('changed again');
    await page.getByRole('button', { name: 'More to do with this run' }).click();
    await page.getByRole('menuitem', { name: 'Roll back' }).click();
    const dialog = page.getByRole('dialog', { name: 'Roll back' });
    await dialog.getByLabel('Back to the beginning of').selectOption({ index: 1 });
    const preview = dialog.getByRole('region', { name: 'What would be restored' });
    await preview.getByText('src/made.txt').first().waitFor();
    await expectAccessible(page);
    expect(sandbox.read('src/made.txt')).toContain('changed again');
    await dialog.getByRole('button', { name: 'Roll back', exact: true }).click();
    await dialog.getByText('It is rolled back.').waitFor();
    expect(() => sandbox.read('src/made.txt')).toThrow('ENOENT');
    const undo = await dialog.getByText(`troupe rollback ${run}`).innerText();
    expect(paste(sandbox, undo)).toMatchObject({ code: 0 });
    expect(sandbox.read('src/made.txt')).toContain('changed again');
  });

  test('[U2] [R1] a result is discarded and kept after all; an archived run is found again and taken out', async () => {
    const sandbox = gitProject();
    const { run } = await writingRun(sandbox);
    const served = await serve(sandbox);
    const { page } = await tab(await open(), address(served, run));
    const more = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'More to do with this run' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await more('Discard the result');
    await steer(page, 'Discard the result', 'Discard', {});
    expect(await view(sandbox, run)).toMatchObject({ result: { state: 'discarded' } });
    await more('Keep the result after all');
    await steer(page, 'Keep the result after all', 'Keep it', {});
    expect(await view(sandbox, run)).toMatchObject({ result: { state: 'waiting' } });
    await more('Archive');
    await steer(page, 'Archive the run', 'Archive', {});
    await page.getByRole('link', { name: 'Board' }).click();
    await page.getByText('No runs yet').waitFor();
    await page.getByRole('button', { name: 'Archived' }).click();
    const card = page.getByRole('article');
    await card.getByText('archived', { exact: true }).waitFor();
    await expectAccessible(page);
    await card.getByRole('link', { name: 'Take out of the archive' }).click();
    await steer(page, 'Take the run out of the archive', 'Take it out', {});
    expect(await view(sandbox, run)).not.toHaveProperty('archivedBy');
  });

  test('[U2] [R1] a fork can be asked to deliver otherwise than its run', async () => {
    const sandbox = gitProject();
    const { run } = await writingRun(sandbox);
    const { page } = await tab(await open(), address(await serve(sandbox), run, '?dialog=fork'));
    const dialog = page.getByRole('dialog', { name: 'Fork the run' });
    await dialog.getByText('Change what becomes of the result').click();
    await dialog.getByLabel('Write into my files').check();
    await dialog.getByLabel('Check before delivery').fill('grep -q TWO src/kept.txt');
    await dialog.getByText("--apply --verify 'grep -q TWO src/kept.txt'").waitFor();
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
    const fork = (await dialog.getByRole('link', { name: /^open / }).getAttribute('href'))?.split('/').at(-1) ?? '';
    expect((await ended(sandbox, fork)).result.state).toBe('delivered');
    expect(sandbox.read('src/made.txt')).toContain('changed again');
  });

  test('[U2] an action that cannot be done says why, also when opened by a link', async () => {
    const sandbox = scriptedProject();
    const served = await serve(sandbox);
    const run = await started(served, 'Quick');
    await sandbox.troupe(['watch', run]);
    const { page } = await tab(await open(), address(served, run, '?dialog=cancel'));
    const dialog = page.getByRole('dialog', { name: 'Cancel the run' });
    await dialog.getByText('The run is over: ok.').first().waitFor();
    expect(await dialog.getByRole('button', { name: 'Cancel the run' }).getAttribute('aria-disabled')).toBe('true');
  });
});
