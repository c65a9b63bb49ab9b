import { describe, expect, test } from 'vitest';
import { configFor, SCENARIO, scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { eventually, expectAccessibleInBoth, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { heldModel } from './held-model.ts';

describe.skipIf(CHROMIUM === null)('a message to an agent at work', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] is written in its column, stands there at once, and is in what the agent reads next', async () => {
    const model = await heldModel(SCENARIO);
    model.hold('worker');
    const sandbox = scriptedProject({ '.troupe/config.yaml': configFor(model.url) });
    const served = await serve(sandbox);
    const { page, errors } = await tab(await open(), served.url);
    const { body } = await served.post('/api/runs', { workflow: 'two_steps', input: { task: 'Count' } });
    const run = String(body['run']);
    await page.goto(`http://127.0.0.1:${served.port}/runs/${run}`);
    const column = page.getByRole('region', { name: 'worker', exact: true });
    const box = column.getByLabel('Message to worker');
    await expect.poll(() => model.held('worker'), eventually).toBe(1);
    expect(await column.getByRole('button', { name: 'Send to worker' }).getAttribute('aria-disabled')).toBe('true');
    await box.fill('Use the helper that is there.');
    await expectAccessibleInBoth(page);
    await box.press('Enter');
    await column.getByText('Sent. worker reads it before it continues').waitFor();
    expect(await box.inputValue()).toBe('');
    model.letGo('worker');
    await sandbox.troupe(['watch', run]);
    await box.waitFor({ state: 'detached' });
    const view = (await sandbox.troupe(['show', run, '--json'])).stdout;
    expect(JSON.parse(view)).toMatchObject({ status: 'settled', outcome: 'ok' });
    expect(view).toContain('Use the helper that is there.');
    expect(errors).toEqual([]);
  });
});
