import { describe, expect, test } from 'vitest';
import { ASKING, configFor, SCENARIO, scriptedProject } from '../../cli/projects.ts';
import { jsonLines } from '../../cli/sandbox.ts';
import { serve } from '../server/served.ts';
import { eventually, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { heldModel } from './held-model.ts';

const LOOP = `workflow_name: loop
variables: { n: 0 }
states:
  - name: start
    transition:
      - { target: start, condition: common_data.n < 48, before: this.common_data.n += 1 }
      - { target: stop }
  - { name: stop }
`;

describe.skipIf(CHROMIUM === null)('small things on the way', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] a form is sent with Ctrl Enter; Back closes a dialog, then returns to the part shown before', async () => {
    const model = await heldModel(SCENARIO);
    model.hold('worker');
    const served = await serve(scriptedProject({ '.troupe/config.yaml': configFor(model.url) }));
    const { page, errors } = await tab(await open(), served.url);
    await page.getByRole('button', { name: 'Start a run' }).first().click();
    const form = page.getByRole('dialog', { name: 'Start a run' });
    await form.getByLabel('Workflow').selectOption('two_steps');
    await form.getByLabel('task').fill('Count');
    await form.getByLabel('task').press('Control+Enter');
    await page.waitForURL(/\/runs\//);
    const events = page.getByRole('tab', { name: 'Events' });
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await events.click();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Pause the run' });
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    expect(await events.getAttribute('aria-selected')).toBe('true');
    await page.goBack();
    await page.getByRole('tab', { name: 'Transcript', selected: true }).waitFor();
    expect(errors).toEqual([]);
  });

  test('[U2] a run that asks says why it cannot be resumed, and shows no debate where there is none', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASKING });
    const served = await serve(sandbox);
    const { body } = await served.post('/api/runs', { workflow: 'asking.ts', input: {} });
    const { page, errors } = await tab(await open(), served.url);
    await page.goto(`http://127.0.0.1:${served.port}/runs/${String(body['run'])}`);
    await page.getByText('This run needs you').waitFor();
    const resume = page.getByRole('button', { name: 'Resume', exact: true });
    await expect.poll(() => resume.getAttribute('aria-disabled'), eventually).toBe('true');
    await resume.hover();
    await page.getByText('It waits for your answer, and goes on by itself once it has one.').waitFor();
    await page.getByRole('tab', { name: 'Events' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Debate' }).count()).toBe(0);
    expect(await page.getByText('React Flow').count()).toBe(0);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByRole('link', { name: 'React Flow' }).waitFor();
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });

  test('[U2] a step with many visits shows the newest of them, and earlier ones when they are wanted', async () => {
    const sandbox = scriptedProject({ '.troupe/workflows/loop.yaml': LOOP });
    const ran = await sandbox.troupe(['run', 'loop', '--no-input', '--json']);
    const run = String(jsonLines(ran.stdout)[0]?.['run']);
    const served = await serve(sandbox);
    const { page, errors } = await tab(await open(), served.url);
    await page.goto(`http://127.0.0.1:${served.port}/runs/${run}?state=start`);
    const visits = page.getByRole('group', { name: 'Visits of start' }).getByRole('button');
    await visits.filter({ hasText: 'visit 49' }).waitFor();
    expect(await visits.count()).toBe(41);
    await visits.filter({ hasText: '9 earlier' }).click();
    await visits.filter({ hasText: 'visit 1 ' }).first().waitFor();
    expect(await visits.count()).toBe(49);
    expect(errors).toEqual([]);
  });

  test('[U2] an address without a run says so, and asks for nothing twice', async () => {
    const served = await serve(scriptedProject());
    const { page } = await tab(await open(), served.url);
    const missing: string[] = [];
    page.on('response', (answer) => void (answer.status() === 404 && missing.push(new URL(answer.url()).pathname)));
    await page.goto(`http://127.0.0.1:${served.port}/runs/nosuchrun`);
    await page.getByText('This run cannot be shown').waitFor();
    expect(new Set(missing).size).toBe(missing.length);
  });

  test('[U2] a dialog that cannot be loaded says so, and does not open by itself later', async () => {
    const sandbox = scriptedProject();
    const served = await serve(sandbox);
    const { body } = await served.post('/api/runs', { workflow: 'two_steps', input: { task: 'Quick' } });
    const run = String(body['run']);
    await sandbox.troupe(['watch', run]);
    const { page } = await tab(await open(), served.url);
    await page.goto(`http://127.0.0.1:${served.port}/runs/${run}`);
    const fork = page.getByRole('button', { name: 'Fork', exact: true });
    await fork.waitFor();
    const before = (await page.getByRole('group', { name: 'Steering' }).boundingBox())?.height;
    // The page loads itself again as soon as it finds a server.
    const isAway = ({ pathname }: URL): boolean => pathname === '/' || pathname.includes('steering-dialog');
    await page.route(isAway, (route) => route.abort());
    await fork.click();
    await page.getByText('This cannot be opened while the server is away.').waitFor();
    expect(new URL(page.url()).searchParams.has('dialog')).toBe(false);
    expect((await page.getByRole('group', { name: 'Steering' }).boundingBox())?.height).toBe(before);
    const isBack = page.waitForEvent('load');
    await page.unroute(isAway);
    await isBack;
    await fork.waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await fork.click();
    await page.getByRole('dialog', { name: 'Fork the run' }).waitFor();
  });
});
