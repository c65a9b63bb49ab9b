import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { git, gitProject, WRITING, writingRun } from '../../cli/file-projects.ts';
import { serve, type Served } from '../server/served.ts';
import { entry, eventually, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

/** Its agent also writes a file that steers the user's programs. */
const STEERING = WRITING.replace(
  '- { name: edit_file',
  '- { name: write_file, arguments: { path: .npmrc, content: "loglevel=silent\\n" } }\n          - { name: edit_file',
);

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

describe.skipIf(CHROMIUM === null)('dialogs in which somebody has to choose', SLOW, () => {
  const { open } = useBrowser();

  async function opened(served: Served, run: string, search: string): Promise<Page> {
    const { page } = await tab(await open(), entry(served, `/runs/${run}${search}`));
    return page;
  }

  test('[U2] a merge that meets a conflict writes nothing, asks whose version counts, names the files it held back, and says how to take it out again', async () => {
    const sandbox = gitProject({ 'answers.yaml': STEERING });
    const { run } = await writingRun(sandbox);
    sandbox.write('src/made.txt', 'mine\n');
    const page = await opened(await serve(sandbox), run, '?dialog=deliver');
    const merge = dialog(page, 'Deliver the result');
    await merge.getByLabel('Into my files').check();
    await merge.getByText(`troupe deliver ${run} --apply`).waitFor();
    await merge.getByRole('button', { name: 'Deliver', exact: true }).click();
    await merge.getByText('Nothing was written: one file is in conflict with yours.').waitFor();
    expect(sandbox.read('src/made.txt')).toBe('mine\n');
    await expectAccessible(page);
    await merge.getByLabel('The run’s').check();
    await merge.getByText(`troupe deliver ${run} --apply --theirs src/made.txt`).waitFor();
    await merge.getByRole('button', { name: 'Deliver again' }).click();
    await merge.getByText('It is in your files').waitFor();
    expect(sandbox.read('src/made.txt')).toBe('made by the run\nand changed again\n');
    await merge.getByText(/troupe rollback \w+ --to \d+ --files --yes/).waitFor();
    await merge.getByText('These files steer your programs and were not applied.').waitFor();
    await merge.getByRole('button', { name: 'Close' }).last().click();
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await outcome.getByText('in your files, without those that steer your programs: .npmrc').waitFor();
    expect(existsSync(join(sandbox.project, '.npmrc'))).toBe(false);
    await page.keyboard.press('m');
    await merge.getByLabel('Into my files, with those held back').check();
    await merge.getByRole('button', { name: 'Deliver', exact: true }).click();
    await merge.getByText('It is in your files').waitFor();
    expect(sandbox.read('.npmrc')).toBe('loglevel=silent\n');
    await merge.getByRole('button', { name: 'Close' }).last().click();
    await expect.poll(() => outcome.innerText(), eventually).toMatch(/its changes are in your files(?!, without)/);
  });

  test('[L4] [U2] a refused result shows what its check printed, and is taken with another check or by an explicit choice', async () => {
    const sandbox = gitProject();
    const { run } = await writingRun(sandbox, '--verify', 'echo "FAIL sum.test.ts > adds"; exit 7');
    const page = await opened(await serve(sandbox), run, '?tab=problems');
    await page.getByText('FAIL sum.test.ts > adds').first().waitFor();
    await page.keyboard.press('m');
    const merge = dialog(page, 'Deliver the result');
    const submit = merge.getByRole('button', { name: 'Deliver', exact: true });
    await merge.getByRole('status').getByText('The result is not verified. The files did not pass').waitFor();
    await merge.getByText('FAIL sum.test.ts > adds', { exact: true }).waitFor();
    expect(await submit.getAttribute('aria-disabled')).toBe('true');
    await merge.getByLabel('Another check').fill('echo still red; false');
    await submit.click();
    await merge.getByText('still red', { exact: true }).waitFor();
    // The check stands in its field, and does not run again.
    await merge.getByLabel('Take it although it is not verified').check();
    await merge.getByText(`troupe deliver ${run} --unverified`).waitFor();
    await expectAccessible(page);
    await submit.click();
    await merge.getByText('Not verified: The files did not pass').waitFor();
    expect(git(sandbox, 'log', '-1', '--format=%B', `troupe/${run}`)).toContain('NOT VERIFIED');
    await merge.getByRole('button', { name: 'Close' }).last().click();
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await outcome.getByText(`its changes wait on the branch troupe/${run}, not verified`).waitFor();
  });

  test('[U2] [R1] after git merged the branch of a result, the page says so', async () => {
    const sandbox = gitProject();
    const { run } = await writingRun(sandbox);
    const page = await opened(await serve(sandbox), run, '');
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await outcome.getByText(`its changes wait on the branch troupe/${run}`).waitFor();
    git(sandbox, 'merge', '-q', `troupe/${run}`);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await outcome.getByText(`git has merged its branch troupe/${run}`).waitFor();
    expect(await outcome.getByRole('button', { name: 'Deliver' }).count()).toBe(0);
  });

  test('[U2] [PH7] a rollback can be of the files alone, and names what undoes it', async () => {
    const sandbox = gitProject();
    const { run } = await writingRun(sandbox);
    const page = await opened(await serve(sandbox), run, '?dialog=rollback&state=again&visit=1');
    const rollback = dialog(page, 'Roll back');
    await rollback.getByText('The workspace main').waitFor();
    await rollback.getByLabel('Only the files').check();
    await rollback.getByText(`troupe rollback ${run} --to again#1 --files --yes`).waitFor();
    const button = rollback.getByRole('button', { name: 'Roll back' });
    await expect.poll(() => button.getAttribute('aria-disabled'), eventually).toBeNull();
    await button.click();
    await rollback.getByText('This undoes it').waitFor();
    const undo = /--to (\d+)/.exec((await rollback.getByLabel('The same as a command').textContent()) ?? '')?.[1] ?? '';
    expect((await sandbox.troupe(['diff', run])).stdout).not.toContain('and changed again');
    await sandbox.troupe(['rollback', run, '--to', undo, '--files', '--yes']);
    expect((await sandbox.troupe(['diff', run])).stdout).toContain('and changed again');
  });

  test('[L10] a run that met a limit is resumed once the limit is raised, and not before', async () => {
    const sandbox = gitProject();
    const { run } = await writingRun(sandbox, '--max-tokens', '5', '--no-input');
    const page = await opened(await serve(sandbox), run, '?dialog=resume');
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
});
