import { describe, expect, test } from 'vitest';
import { jsonLines } from '../../cli/sandbox.ts';
import { scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

describe.skipIf(CHROMIUM === null)('what agents read', SLOW, () => {
  const { open } = useBrowser();

  test('[A3] every request of a run is listed, and one is shown with its blocks and where they come from', async () => {
    const sandbox = scriptedProject();
    const { stdout } = await sandbox.troupe(['run', 'two_steps', 'Count to three.', '--json', '--no-input']);
    const run = String(jsonLines(stdout)[0]?.['run']);
    const served = await serve(sandbox);
    const { page, errors } = await tab(await open(), served.url);
    await page.goto(`http://127.0.0.1:${served.port}/runs/${run}?tab=requests`);
    const list = page.getByRole('navigation', { name: 'Requests' });
    await list.getByRole('button').nth(1).click();
    const request = page.getByRole('region', { name: 'Request' });
    await request.getByText('Begins as request 1.').waitFor();
    await request.getByText('Count to three.').waitFor();
    await request
      .getByText(/order to worker \(record \d+\)/)
      .first()
      .waitFor();
    expect(await list.getByRole('button').count()).toBe(2);
    await expectAccessible(page);
    const picture = process.env['REQUESTS_PICTURE'];
    if (picture !== undefined) await page.screenshot({ path: picture });
    expect(errors).toEqual([]);
  });
});
