import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { gitProject, writingRun } from '../../cli/file-projects.ts';
import type { Sandbox } from '../../cli/sandbox.ts';
import { serve, type Served } from '../server/served.ts';
import { eventually, expectAccessible, PROGRAM, SLOW, tab, useBrowser } from './browser.ts';
import { demoProject } from './demo.ts';
import { demoScenario, TASK } from './demo-files.ts';
import { heldModel } from './held-model.ts';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

describe.skipIf(PROGRAM === null)('steering a run', SLOW, () => {
  const { open } = useBrowser();

  async function opened(served: Served, run: string, search = ''): Promise<Page> {
    const { page } = await tab(await open(), served.url);
    await page.goto(`http://127.0.0.1:${served.port}/runs/${run}${search}`);
    return page;
  }

  async function written(sandbox: Sandbox): Promise<{ readonly run: string; readonly served: Served }> {
    const { run } = await writingRun(sandbox);
    return { run, served: await serve(sandbox) };
  }

  test('[U2] a merge that meets a conflict writes nothing, asks whose version counts, and says how to take it out again', async () => {
    const sandbox = gitProject();
    const { run, served } = await written(sandbox);
    sandbox.write('src/made.txt', 'mine\n');
    const page = await opened(served, run, '?dialog=merge');
    const merge = dialog(page, 'Merge the result');
    await merge.getByLabel('Into my files').check();
    await merge.getByText(`troupe merge ${run} --apply`).waitFor();
    await merge.getByRole('button', { name: 'Merge', exact: true }).click();
    await merge.getByText('Nothing was written: one file is in conflict with yours.').waitFor();
    expect(sandbox.read('src/made.txt')).toBe('mine\n');
    await expectAccessible(page);
    await merge.getByLabel('The run’s').check();
    await merge.getByText(`troupe merge ${run} --apply --theirs src/made.txt`).waitFor();
    await merge.getByRole('button', { name: 'Merge again' }).click();
    await merge.getByText('It is in your files').waitFor();
    expect(sandbox.read('src/made.txt')).toBe('made by the run\nand changed again\n');
    await merge.getByText(/troupe rollback \w+ --to \d+ --files --yes/).waitFor();
  });

  test('[U2] a rollback shows what goes back before it does, can be limited to the files, and names its undo', async () => {
    const sandbox = gitProject();
    const { run, served } = await written(sandbox);
    const page = await opened(served, run, '?dialog=rollback&state=again&visit=1');
    const rollback = dialog(page, 'Roll back');
    await rollback.getByText('The workspace main').waitFor();
    await rollback.getByText('src/made.txt').waitFor();
    await rollback.getByLabel('Only the files').check();
    await rollback.getByText(`troupe rollback ${run} --to again#1 --files --yes`).waitFor();
    await expectAccessible(page);
    await expect
      .poll(() => rollback.getByRole('button', { name: 'Roll back' }).getAttribute('aria-disabled'), eventually)
      .toBeNull();
    await rollback.getByRole('button', { name: 'Roll back' }).click();
    await rollback.getByText('This undoes it').waitFor();
    const undo = /--to (\d+)/.exec((await rollback.getByLabel('The same as a command').textContent()) ?? '')?.[1] ?? '';
    expect((await sandbox.troupe(['diff', run])).stdout).not.toContain('and changed again');
    await sandbox.troupe(['rollback', run, '--to', undo, '--files', '--yes']);
    expect((await sandbox.troupe(['diff', run])).stdout).toContain('and changed again');
  });

  test('[U2] what cannot be done now says why, also where a link opened its dialog', async () => {
    const { run, served } = await written(gitProject());
    const page = await opened(served, run, '?dialog=resume');
    const resume = dialog(page, 'Resume the run');
    await resume.getByText('The run is over: ok. Fork it to go on from one of its steps.').waitFor();
    expect(await resume.getByRole('button', { name: 'Resume' }).getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).searchParams.get('dialog'), eventually).toBeNull();
    await page.goto(`http://127.0.0.1:${served.port}/runs/${run}?dialog=nonsense`);
    await page.getByRole('button', { name: 'Fork', exact: true }).waitFor();
  });

  test('[L10] a run that met a limit is resumed once the limit is raised, and not before', async () => {
    const sandbox = gitProject();
    const { run } = await writingRun(sandbox, '--max-tokens', '5', '--no-input');
    const served = await serve(sandbox);
    const page = await opened(served, run, '?dialog=resume');
    const resume = dialog(page, 'Resume the run');
    await resume.getByText('The limit that was met has to be raised: Tokens.').waitFor();
    await resume.getByLabel('Tokens').fill('4');
    await resume.getByText('It is 5 now and can only be raised: Tokens.').waitFor();
    await resume.getByLabel('Tokens').fill('100000');
    await resume.getByText(`troupe resume ${run} --max-tokens 100000`).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await resume.getByText('It goes on.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByTitle('ok').count(), eventually).toBeGreaterThan(0);
  });

  test('[U2] a run at work is told something about a line, paused, resumed and cancelled', async () => {
    const model = await heldModel(demoScenario());
    const sandbox = demoProject({ url: model.url });
    const served = await serve(sandbox);
    model.hold('smart_coder');
    const { body } = await served.post('/api/runs', { workflow: 'slug_review', input: { task: TASK } });
    const run = String(body['run']);
    const page = await opened(served, run, '?tab=changes&workspace=fast_coder');
    await page.getByLabel('Comment on src/slug.js').click();
    await page.getByPlaceholder('What should be different').fill('Mind the accents.');
    await page.getByText('fast_coder hears it before it goes on').waitFor();
    await page.getByRole('button', { name: 'Tell', exact: true }).click();
    await page.getByText('fast_coder was told.').waitFor();
    expect((await sandbox.troupe(['logs', run])).stdout).toContain('Mind the accents.');

    await page.getByRole('button', { name: 'Pause' }).click();
    await dialog(page, 'Pause the run').getByLabel('Reason').fill('a look');
    await dialog(page, 'Pause the run').getByText(`troupe pause ${run} --reason 'a look'`).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('It is paused. Nothing new starts').waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Resume' }).click();
    const resume = dialog(page, 'Resume the run');
    await resume.getByText('paused it: a look').waitFor();
    await expectAccessible(page);
    await resume.getByRole('button', { name: 'Resume' }).click();
    await resume.getByText('It goes on.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More to do with this run' }).click();
    await page.getByRole('menuitem', { name: 'Cancel the run' }).click();
    await dialog(page, 'Cancel the run').getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByText('It is cancelled.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByTitle('cancelled').count(), eventually).toBeGreaterThan(0);
  });
});
