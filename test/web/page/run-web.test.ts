import { spawn } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configFor, endingWorkflow, SCENARIO, scriptedProject } from '../../cli/projects.ts';
import { jsonLines, PROGRAM as TROUPE, type Running, type Sandbox } from '../../cli/sandbox.ts';
import { hasTerminal } from '../../cli/typed.ts';
import { fakeBrowser } from '../server/fake-browser.ts';
import { serve } from '../server/served.ts';
import { eventually, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { heldModel, type HeldModel } from './held-model.ts';

interface Held {
  readonly sandbox: Sandbox;
  readonly model: HeldModel;
}

/** A project whose worker says nothing until it is let. */
async function heldProject(): Promise<Held> {
  const model = await heldModel(SCENARIO);
  const sandbox = scriptedProject({ '.troupe/config.yaml': configFor(model.url) });
  await sandbox.troupe(['trust', '--yes']);
  model.hold('worker');
  return { sandbox, model };
}

interface Opened {
  readonly kind: string;
  readonly run: string;
  readonly url: string;
}

async function openedBy({ lines, ended }: Running): Promise<Opened> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done === true) throw new Error((await ended).stderr);
    const line = JSON.parse(value) as Opened;
    if (line.kind === 'page.opened') return line;
  }
}

/** A program in a terminal: what is on the screen, and keys for it. */
function inTerminal(sandbox: Sandbox, words: string) {
  const command = `stty cols 200 rows 40; exec '${process.execPath}' '${TROUPE}' ${words}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: sandbox.project,
    env: { PATH: process.env['PATH'], HOME: sandbox.home, TROUPE_HOME: sandbox.home, TERM: 'xterm' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  child.stdout.on('data', (piece: Buffer) => (screen += piece.toString()));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  return { screen: () => screen, type: (keys: string) => void child.stdin.write(keys), ended: promise };
}

describe.skipIf(CHROMIUM === null)('run --web', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] the printed address shows the very run while it goes on, and so does what the browser is started with', async () => {
    const { sandbox, model } = await heldProject();
    const browser = fakeBrowser(sandbox);
    const running = sandbox.start(['run', 'two_steps', 'Paint it', '--web', '--json'], {
      environment: browser.environment,
    });
    const { run, url } = await openedBy(running);
    await expect.poll(() => browser.opened(), eventually).toHaveLength(1);
    // Each person has their own cookies: one has the token, the other a ticket.
    const pages = await Promise.all(
      [url, browser.opened()[0] ?? ''].map(async (address) => await tab(await open(), address)),
    );
    for (const { page } of pages) {
      expect(new URL(page.url()).pathname).toBe(`/runs/${run}`);
      await page.getByRole('heading', { name: 'Paint it' }).waitFor();
      await page.getByRole('button', { name: /^turn start .*visit 1/ }).waitFor();
    }
    model.letOne('worker');
    for (const { page } of pages) await page.getByRole('button', { name: /^turn again .*visit 1/ }).waitFor();
    model.letGo('worker');
    // Without a terminal the page ends with the run.
    const { code, stdout } = await running.ended;
    expect([code, jsonLines(stdout).at(-1)]).toMatchObject([0, { outcome: 'ok' }]);
    for (const { page, errors } of pages) {
      await page.getByText('Connection lost, trying again').waitFor();
      expect(errors).toEqual([]);
    }
  });

  test('[U2] Ctrl-C while the run goes on ends both, and the run goes on later', async () => {
    const { sandbox, model } = await heldProject();
    const running = sandbox.start(['run', 'two_steps', 'Paint it', '--web', '--json']);
    const { run, url } = await openedBy(running);
    const { page } = await tab(await open(), url);
    await page.getByRole('button', { name: /^turn start .*visit 1/ }).waitFor();
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    await page.getByText('Connection lost, trying again').waitFor();
    model.letGo('worker');
    expect(await sandbox.troupe(['resume', run])).toMatchObject({ code: 0, stdout: 'Done.\n' });
  });

  test('[U2] a killed run stops on the page: it says stopped and how to go on', async () => {
    const { sandbox, model } = await heldProject();
    const served = await serve(sandbox);
    const running = sandbox.start(['run', 'two_steps', 'Paint it', '--json']);
    const context = await open();
    await context.clock.install();
    const { page, errors } = await tab(context, served.url);
    await page.getByRole('link', { name: 'Paint it' }).click();
    await page.getByRole('button', { name: /^turn start .*visit 1/ }).waitFor();
    const spinners = page.locator('[class*="animate-[spin"]');
    const totals = page.getByRole('group', { name: 'Totals' });
    expect(await spinners.count()).toBeGreaterThan(0);
    await context.clock.fastForward('05:00');
    await totals.getByText(/5m/).first().waitFor();
    running.child.kill('SIGKILL');
    await running.ended;
    const stopped = page.getByRole('region', { name: 'Stopped' });
    await stopped.getByText('The process that drove this run is gone.').waitFor();
    await expect.poll(() => spinners.count(), eventually).toBe(0);
    const before = await totals.textContent();
    expect(before).toContain('stopped');
    await context.clock.fastForward('10:00');
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    expect(await totals.textContent()).toBe(before);
    await expect.poll(() => spinners.count(), eventually).toBe(0);
    await page.getByRole('link', { name: 'Board', exact: true }).click();
    const card = page.getByRole('region', { name: /^Needs you/ }).getByRole('article');
    await card.getByText('No process drives it: resume it to go on.').waitFor();
    await expect.poll(() => spinners.count(), eventually).toBe(0);
    await card.getByRole('link', { name: 'Paint it' }).click();
    model.letGo('worker');
    await stopped.getByRole('button', { name: 'Resume' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resume the run' });
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
    await dialog.getByText('It goes on.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('region', { name: 'Outcome' }).getByText('Done').first().waitFor();
    expect([await stopped.count(), errors]).toEqual([0, []]);
  });

  test.skipIf(!hasTerminal)('[U2] on a terminal the page stays when the run is over, until Ctrl-C', async () => {
    const sandbox = scriptedProject({ 'ending.ts': endingWorkflow('ok') });
    const terminal = inTerminal(sandbox, 'run ending.ts --web');
    await expect.poll(() => terminal.screen(), eventually).toContain('The page stays open until Ctrl-C');
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\/runs\/\S+#t=[\w-]+/.exec(terminal.screen()) ?? [];
    const { page, errors } = await tab(await open(), url);
    await page
      .getByRole('region', { name: 'Workflow' })
      .getByRole('button', { name: /\bdone\b/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(0);
    await page.getByText('Connection lost, trying again').waitFor();
    expect(errors).toEqual([]);
  });
});
