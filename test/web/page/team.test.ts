import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ASK_THEN_WORK, scriptedProject } from '../../cli/projects.ts';
import type { Sandbox } from '../../cli/sandbox.ts';
import { certificate } from '../server/certificate.ts';
import { newToken } from '../server/team.ts';
import { eventually, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

/** With its own TLS: a browser keeps the cookie only over that. */
async function serveSecurely(sandbox: Sandbox): Promise<string> {
  const { cert, key } = certificate(sandbox.home);
  const words = ['--listen', '127.0.0.1:0', '--tls-cert', cert, '--tls-key', key];
  const running = sandbox.start(['serve', '--json', ...words]);
  const first = await running.lines.next();
  if (first.done === true) throw new Error((await running.ended).stderr);
  return (JSON.parse(first.value) as { readonly url: string }).url;
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Your token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function askingRun(sandbox: Sandbox): Promise<string> {
  const { stdout } = await sandbox.troupe(['run', 'asking.ts', '--json', '--no-input']);
  return (JSON.parse(stdout.split('\n')[0] ?? '{}') as { readonly run: string }).run;
}

const isOff = async (page: Page, name: string): Promise<boolean> =>
  (await page.getByRole('button', { name, exact: true }).first().getAttribute('aria-disabled')) === 'true';

/** Where the pictures of a person who looks at them go; none are taken otherwise. */
const PICTURES = process.env['TROUPE_PICTURES'];

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

describe.skipIf(CHROMIUM === null)("a team's server", SLOW, () => {
  const { open } = useBrowser();

  test('[U8] a user with a token signs in, a viewer reads why each button is off, and signing out locks the page', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
    const run = await askingRun(sandbox);
    const token = await newToken(sandbox, 'vera', 'viewer');
    const url = await serveSecurely(sandbox);
    const context = await open();
    const { page, errors, outside } = await tab(context, url);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'sign-in');
    await signIn(page, 'troupe_wrong-token-of-nobody-at-all');
    await page.getByText('The server does not know this token').waitFor();
    await signIn(page, token);
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    const [cookie] = await context.cookies();
    expect([cookie?.httpOnly, cookie?.sameSite, cookie?.secure]).toEqual([true, 'Strict', true]);
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toContain(token);
    await page.goto(`${url}runs/${run}`);
    await page.getByRole('group', { name: 'Steering' }).waitFor();
    await expect.poll(() => isOff(page, 'Start a run'), eventually).toBe(true);
    for (const name of ['Resume', 'Fork', 'Deliver', 'red', 'blue'])
      expect([name, await isOff(page, name)]).toEqual([name, true]);
    await page.getByRole('button', { name: 'Fork', exact: true }).hover();
    await page.getByText('Your role is viewer; "fork" needs the role operator.').waitFor();
    await picture(page, 'viewer');
    await page.getByRole('button', { name: 'blue', exact: true }).click({ force: true });
    expect((await sandbox.troupe(['show', run, '--json'])).stdout).toContain('"status":"waiting"');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByText('vera, viewer').waitFor();
    await picture(page, 'signed-in-menu');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect([errors, outside]).toEqual([[], []]);
  });

  test('[U8] an operator answers by name; when the token is revoked, the open page says so', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
    const run = await askingRun(sandbox);
    const token = await newToken(sandbox, 'olga', 'operator');
    const { page } = await tab(await open(), await serveSecurely(sandbox));
    await signIn(page, token);
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    await page.getByRole('button', { name: 'blue', exact: true }).first().click();
    const logs = async (): Promise<string> => (await sandbox.troupe(['logs', run, '--json'])).stdout;
    await expect.poll(logs, eventually).toMatch(/"kind":"question.answered".*"by":"olga"/);
    await sandbox.troupe(['token', 'revoke', 'olga']);
    await page.getByRole('heading', { name: 'Your token was revoked' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'revoked');
    await signIn(page, token);
    await page.getByText('The server does not know this token').waitFor();
  });
});
