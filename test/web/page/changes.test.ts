import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { RunView } from '../../../src/protocol/run-view.ts';
import { gitProject, writingProject, writingRun } from '../../cli/file-projects.ts';
import type { Sandbox } from '../../cli/sandbox.ts';
import { scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { eventually, expectAccessible, PROGRAM, SLOW, tab, useBrowser, type View } from './browser.ts';

/** Marks that turn the direction of writing, a terminal's sequence, and what a browser would take for a picture. */
const HOSTILE = `
rules:
  - when: { state: start }
    steps:
      - tools:
          - name: write_file
            arguments: { path: "src/<img src=x onerror=alert(1)>.js", content: "const a = '\\u202E\\u001B[2J';\\n</pre><script>alert(2)</script>\\n" }
      - say: Written.
  - when: { state: again }
    reply: Done.
`;

const LARGE = `
rules:
  - when: { state: start }
    steps:
      - tools:
          - { name: write_file, arguments: { path: large.txt, content: "${'a line of many\\n'.repeat(6000)}" } }
      - say: Written.
  - when: { state: again }
    reply: Done.
`;

const files = (page: Page) => page.getByRole('list', { name: 'Changed files' });

describe.skipIf(PROGRAM === null)('what a run changed', SLOW, () => {
  const { open } = useBrowser();

  async function shown(sandbox: Sandbox, view: View = {}) {
    const { run } = await writingRun(sandbox);
    const served = await serve(sandbox);
    const context = await open(view);
    const { page, errors } = await tab(context, served.url);
    const address = `http://127.0.0.1:${served.port}/runs/${run}?tab=changes`;
    await page.goto(address);
    return { page, errors, run, address };
  }

  test('[U2] since the run began, in one step, or against the user’s files; what was read is marked and stays so', async () => {
    const sandbox = gitProject();
    const { page, errors, address } = await shown(sandbox);
    await files(page)
      .getByRole('button', { name: /made\.txt/ })
      .waitFor();
    await page.getByText('and changed again').waitFor();
    await page.getByText('0 of 2 reviewed').waitFor();
    await expectAccessible(page);
    const base = page.getByLabel('Compared with');
    await base.selectOption({ label: 'only in again' });
    await files(page)
      .getByRole('button', { name: /kept\.txt/ })
      .waitFor({ state: 'detached' });
    await base.selectOption('project');
    await files(page)
      .getByRole('button', { name: /kept\.txt/ })
      .waitFor();
    await base.selectOption('start');
    await page.getByLabel('Reviewed src/made.txt').check();
    await page.getByText('1 of 2 reviewed').waitFor();
    await page.goto(`${address}&file=src/kept.txt&line=2`);
    await page.getByText('1 of 2 reviewed').waitFor();
    expect(await page.getByLabel('Reviewed src/made.txt').isChecked()).toBe(true);
    await page.goto(`${address}&base=step&state=stop`);
    await page.getByText('No file of main is different only in stop. There are changes against another base').waitFor();
    expect(errors).toEqual([]);
  });

  test('[U2] a comment on a line of a run that is over begins a fork in which the agent hears it, with the line', async () => {
    const sandbox = writingProject();
    const { page, run, address } = await shown(sandbox);
    await page.goto(`${address}&file=src/made.txt&line=2`);
    await page.getByLabel('Comment on src/made.txt').click();
    const note = page.getByPlaceholder('What should be different');
    await note.fill('Say it once.');
    await page.getByText(`This run is over, so a new one begins as it was at again`).waitFor();
    await page.getByText(`troupe fork ${run} --at again#1 --tell`).waitFor();
    await expectAccessible(page);
    await note.press('Control+Enter');
    await page.getByText('The fork has begun.').waitFor();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.getByText('forked from').waitFor();
    const fork = decodeURIComponent(new URL(page.url()).pathname.replace('/runs/', ''));
    const view = async (): Promise<RunView> =>
      JSON.parse((await sandbox.troupe(['show', fork, '--json'])).stdout) as RunView;
    await expect.poll(async () => (await view()).status, eventually).toBe('settled');
    const said = (await view()).contexts.flatMap(({ messages }) => messages.map(({ content }) => content));
    expect(said).toContain('About src/made.txt, line 2:\n> and changed again\n\nSay it once.');
  });

  test('[U2] names and contents that mean harm are only text', async () => {
    const { page, errors } = await shown(scriptedProject({ 'answers.yaml': HOSTILE }), { theme: 'dark' });
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    await files(page).getByText('<img src=x onerror=alert(1)>.js').waitFor();
    await page.getByText('⟦U+202E⟧').first().waitFor();
    await page.getByText('⟦U+001B⟧').first().waitFor();
    await page.getByText('</pre><script>alert(2)</script>').waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect([dialogs, errors]).toEqual([0, []]);
  });

  test('[U2] a large change is folded until somebody wants it, and then only what is in sight is drawn', async () => {
    const { page } = await shown(scriptedProject({ 'answers.yaml': LARGE }), { width: 390, height: 844 });
    await page.getByText('A large change; unfold it to see it.').waitFor({ state: 'attached' });
    expect(await page.getByText('a line of many').count()).toBe(0);
    await page.getByRole('button', { name: 'Unfold large.txt' }).click();
    await page.getByText('a line of many').first().waitFor();
    expect(await page.locator('[data-line]').count()).toBeLessThan(600);
    await expectAccessible(page);
  });

  test('[U2] a run without changes says why', async () => {
    const { page } = await shown(scriptedProject());
    await page.getByText('No changes').or(page.getByText('This run has no files')).first().waitFor();
    expect(await page.getByText(/no agent of it ever worked in its files|None of its agents has a tool/).count()).toBe(
      1,
    );
  });
});
