import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scriptedProject } from '../../cli/projects.ts';
import type { Sandbox } from '../../cli/sandbox.ts';
import { serve, serveToRestart, type Served } from '../server/served.ts';
import { eventually, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

describe.skipIf(CHROMIUM === null)('coming in', SLOW, () => {
  const { open } = useBrowser();
  /** Without runs, and nobody begins one. */
  let sandbox: Sandbox;
  let served: Served;
  beforeAll(async () => {
    sandbox = scriptedProject({}, { lasts: true });
    served = await serve(sandbox);
  });
  afterAll(() => sandbox?.close());

  test('[U2] the token leaves the address at once, and the page opens again without it', async () => {
    const context = await open();
    const { page, errors, outside } = await tab(context, served.url);
    await page.getByRole('heading', { name: 'Board of runs' }).waitFor();
    expect(page.url()).not.toContain(served.token);
    await page.reload();
    await page.getByText('No runs yet').waitFor();
    const [cookie] = await context.cookies();
    expect([cookie?.httpOnly, cookie?.sameSite]).toEqual([true, 'Strict']);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect([errors, outside]).toEqual([[], []]);
  });

  test('[U2] without a token, or with a wrong one, the page says how to get in, and the right address opens it', async () => {
    const { page } = await tab(await open(), `http://127.0.0.1:${served.port}/#t=wrong-token-of-another-time`);
    await page.getByText('This page needs its key').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Or paste that address here').fill('nothing of use');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('There is no token in it').waitFor();
    await page.getByLabel('Or paste that address here').fill(served.url);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('No runs yet').waitFor();
    expect(page.url()).not.toContain(served.token);
  });

  test('[U2] an expired key is asked for, and giving it in one tab opens all of them', async () => {
    const own = scriptedProject();
    const dying = await serveToRestart(own);
    const context = await open();
    const first = await tab(context, dying.url);
    await first.page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    const second = await tab(context, `http://127.0.0.1:${dying.port}/workflows`);
    await second.page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    await context.clearCookies();
    dying.running.child.kill('SIGKILL');
    await dying.running.ended;
    const again = await serve(own, ['--port', String(dying.port)]);
    await first.page.getByText('This page needs its key').waitFor();
    await first.page.getByLabel('Or paste that address here').fill(again.url);
    await first.page.getByRole('button', { name: 'Open' }).click();
    for (const { page } of [first, second]) await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    await second.page.getByRole('heading', { name: 'Workflows' }).waitFor();
    expect(await second.page.getByText('This page needs its key').count()).toBe(0);
  });

  test('[U2] an address that leads nowhere says so', async () => {
    const context = await open();
    const { page } = await tab(context, served.url);
    await page.getByText('No runs yet').waitFor();
    await page.goto(`http://127.0.0.1:${served.port}/nowhere`);
    await page.getByText('There is no such page').waitFor();
    await page.goto(`http://127.0.0.1:${served.port}/runs/no-such-run`);
    await page.getByText('This run cannot be shown').waitFor();
    await expect.poll(() => page.getByText('RUN_UNKNOWN').count(), eventually).toBe(1);
  });
});
