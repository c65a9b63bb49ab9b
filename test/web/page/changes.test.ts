import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { RunView } from '../../../src/protocol/run-view.ts';
import { git, gitProject, writingProject, writingRun } from '../../cli/file-projects.ts';
import type { Sandbox } from '../../cli/sandbox.ts';
import { scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { entry, eventually, expectAccessible, SLOW, tab, useBrowser, type View } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

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

/** A file of a hundred lines of which one becomes another. */
const LONG = Array.from({ length: 100 }, (_, place) => `line ${place + 1} of many\n`).join('');

const EDITING = `
rules:
  - when: { state: start }
    steps:
      - tools:
          - { name: edit_file, arguments: { path: src/long.txt, old: line 50 of many, new: the middle } }
      - say: Written.
  - when: { state: again }
    reply: Done.
`;

/** Two pictures of one point each; the second takes the place of the first. */
const PICTURES = {
  'a.png': 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'b.png': 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

const COPYING = `
rules:
  - when: { state: start }
    steps:
      - tools:
          - { name: execute_terminal, arguments: { command: "cp b.png a.png && head -c 3000 /dev/zero > data.bin" } }
      - say: Written.
  - when: { state: again }
    reply: Done.
`;

/** A branch with a file more, and one that the project ignores; a tag at its end. */
function branchedProject(): Sandbox {
  const sandbox = gitProject({ '.gitignore': 'ignored/\n' });
  git(sandbox, 'stash', '-q', '-u');
  git(sandbox, 'checkout', '-q', '-b', 'feature/old');
  sandbox.write('src/theirs.txt', 'theirs\n');
  sandbox.write('ignored/made.txt', 'made\n');
  git(sandbox, 'add', '-f', '.');
  git(sandbox, 'commit', '-q', '-m', 'old');
  git(sandbox, 'tag', 'v1');
  git(sandbox, 'checkout', '-q', 'trunk');
  return sandbox;
}

const files = (page: Page) => page.getByRole('list', { name: 'Changed files' });

describe.skipIf(CHROMIUM === null)('what a run changed', SLOW, () => {
  const { open } = useBrowser();

  async function shown(sandbox: Sandbox, view: View = {}) {
    const { run } = await writingRun(sandbox);
    const served = await serve(sandbox);
    const context = await open(view);
    const { page, errors } = await tab(context, entry(served, `/runs/${run}?tab=changes`));
    const address = `http://127.0.0.1:${served.port}/runs/${run}?tab=changes`;
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
    const note = page.getByPlaceholder('What should change');
    await note.fill('Say it once.');
    await page.getByText(`This run is over, so a new one begins as it was at again`).waitFor();
    await page.getByText(`troupe fork ${run} --at again#1 --tell`).waitFor();
    await expectAccessible(page);
    await note.press('Control+Enter');
    await page.getByText('The fork has begun.').waitFor();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.getByText('forked from').waitFor();
    const fork = decodeURIComponent(new URL(page.url()).pathname.replace('/runs/', ''));
    await sandbox.troupe(['watch', fork]);
    const { status, contexts } = JSON.parse((await sandbox.troupe(['show', fork, '--json'])).stdout) as RunView;
    expect(status).toBe('settled');
    const said = contexts.flatMap(({ messages }) => messages.map(({ content }) => content));
    expect(said).toContain('About src/made.txt, line 2:\n> and changed again\n\nSay it once.');
  });

  test('[U2] compared with a branch by its name, which the address keeps', async () => {
    const { page, errors } = await shown(branchedProject());
    const theirs = files(page).getByRole('button', { name: /theirs\.txt/ });
    await files(page)
      .getByRole('button', { name: /made\.txt/ })
      .waitFor();
    const base = page.getByLabel('Compared with');
    await base.getByRole('option', { name: 'against feature/old' }).waitFor({ state: 'attached' });
    const names = await base.locator('optgroup[label="Branches"] option').allTextContents();
    expect(names.slice(0, 2)).toEqual(['against trunk (checked out)', 'against feature/old']);
    await base.selectOption('ref:feature/old');
    await theirs.waitFor();
    await page.getByText('1 file is not compared').click();
    await page.getByText('ignored/made.txt').waitFor();
    await expectAccessible(page);
    expect(new URL(page.url()).searchParams.get('base')).toBe('ref:feature/old');
    await base.selectOption('ref:trunk');
    await theirs.waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
  });

  test('[U2] compared with any name that git knows; one that it does not know is reported with those it does', async () => {
    const { page, errors, address } = await shown(branchedProject());
    const theirs = files(page).getByRole('button', { name: /theirs\.txt/ });
    await page.locator('optgroup[label="Branches"]').waitFor({ state: 'attached' });
    await page.getByLabel('Compared with').selectOption('other');
    await page.getByLabel('Branch, tag or commit').fill('v1');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await theirs.waitFor();
    await page.goto(`${address}&base=ref:nowhere`);
    await page.getByText('has no branch, tag or commit "nowhere"').waitFor();
    await page.getByText('Its branches: trunk, feature/old').waitFor();
    expect(errors).toEqual([]);
  });

  test('[U2] a project without git has no branches to choose from', async () => {
    const { page } = await shown(writingProject());
    await files(page)
      .getByRole('button', { name: /made\.txt/ })
      .waitFor();
    await page.locator('optgroup[label="Steps"]').waitFor({ state: 'attached' });
    const answers = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    await expect.poll(answers, eventually).toContainEqual(expect.stringMatching(/\/branches$/));
    expect(await page.locator('optgroup[label="Branches"]').count()).toBe(0);
  });

  test('[U2] the lines between changes unfold, ten at a time or all, also with the keyboard', async () => {
    const { page, errors } = await shown(scriptedProject({ 'answers.yaml': EDITING, 'src/long.txt': LONG }));
    const line = (number: number) => page.getByText(`line ${number} of many`, { exact: true });
    await page.getByText('the middle').waitFor();
    await line(47).waitFor();
    expect(await line(46).count()).toBe(0);
    await page.getByRole('button', { name: 'Show more lines above what is below' }).first().click();
    await line(37).waitFor();
    expect(await line(36).count()).toBe(0);
    await expectAccessible(page);
    const all = page.getByRole('button', { name: 'Expand all lines between' }).first();
    expect(await all.getAttribute('tabindex')).toBe('0');
    await all.dispatchEvent('keydown', { key: 'Enter' });
    await line(1).waitFor();
    await line(36).waitFor();
    // One that is in sight: scrolled to, the view moves once more while it draws what is around.
    await page.locator('[data-column-number="20"]').first().click();
    await expect.poll(() => new URL(page.url()).searchParams.get('line'), eventually).toBe('20');
    await page.getByLabel('Comment on src/long.txt').click();
    await page.getByPlaceholder('What should change').fill('Why?');
    await page.getByText('> line 20 of many').waitFor();
    expect(errors).toEqual([]);
  });

  test('[U2] a line that was removed can be commented on: the agent hears that it was, and what it said', async () => {
    const { page, errors, address } = await shown(scriptedProject({ 'answers.yaml': EDITING, 'src/long.txt': LONG }));
    await page.goto(`${address}&file=src/long.txt&line=50&side=old`);
    await page.getByText('the middle').waitFor();
    await page.getByLabel('Comment on src/long.txt').click();
    await page.getByText('About line 50, which was removed').waitFor();
    await page.getByPlaceholder('What should change').fill('Keep it.');
    await page.getByText('About src/long.txt, a line that was removed (line 50 before):').waitFor();
    await page.getByText('> line 50 of many').waitFor();
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });

  test('[U2] a picture is shown before and after; other binary files show their size', async () => {
    const sandbox = scriptedProject({ 'answers.yaml': COPYING });
    for (const [name, text] of Object.entries(PICTURES))
      writeFileSync(join(sandbox.project, name), Buffer.from(text, 'base64'));
    const { page, errors } = await shown(sandbox);
    await page.getByText('Not text (.bin): 3 KB.').waitFor();
    for (const name of ['a.png before', 'a.png now']) {
      const picture = page.getByRole('img', { name });
      await picture.waitFor();
      const width = () => picture.evaluate((one: object) => ('naturalWidth' in one ? one.naturalWidth : -1));
      await expect.poll(width, eventually).toBe(1);
    }
    await expectAccessible(page);
    expect(errors).toEqual([]);
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
