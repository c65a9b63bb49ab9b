import { describe, expect, test } from 'vitest';
import { jsonLines } from '../../cli/sandbox.ts';
import { scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { entry, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

describe.skipIf(CHROMIUM === null)('what agents read', SLOW, () => {
  const { open } = useBrowser();

  test('[A3] every request of a run is listed, and one is shown with its blocks and where they come from, in sight', async () => {
    const sandbox = scriptedProject();
    const { stdout } = await sandbox.troupe(['run', 'two_steps', 'Count to three.', '--json', '--no-input']);
    const run = String(jsonLines(stdout)[0]?.['run']);
    const served = await serve(sandbox);
    const { page, errors } = await tab(await open(), entry(served, `/runs/${run}?tab=requests`));
    const list = page.getByRole('navigation', { name: 'Requests' });
    const request = page.getByRole('region', { name: 'Request' });
    // The first is shown before one is chosen, and the arrow keys go on from there.
    await request.getByRole('heading', { name: /^Request 1: worker/ }).waitFor();
    await list.getByRole('button').first().press('ArrowDown');
    await request.getByText('Begins as request 1.').waitFor();
    await request.getByText('Count to three.').waitFor();
    // The same as `prompt trace` prints: what is not known, and what came back.
    await request.getByText('No request was sent').waitFor();
    await request.getByRole('article').filter({ hasText: 'Answer' }).getByText('Done.').waitFor();
    await request
      .getByText(/order to worker \(record \d+\)/)
      .first()
      .waitFor();
    expect(await list.getByRole('button').count()).toBe(2);
    expect(await list.getByRole('button').nth(1).textContent()).toMatch(/\w+, visit 1, call 1/);
    await expectAccessible(page);
    const picture = process.env['REQUESTS_PICTURE'];
    if (picture !== undefined) await page.screenshot({ path: picture });
    // Side by side where there is room.
    const [left, right] = [await list.boundingBox(), await request.boundingBox()];
    expect(right?.x).toBeGreaterThanOrEqual((left?.x ?? 0) + (left?.width ?? Infinity));
    expect(right?.y).toBe(left?.y);
    expect(errors).toEqual([]);

    const { page: small } = await tab(await open({ width: 390, height: 500 }), served.url);
    await small.goto(`http://127.0.0.1:${served.port}/runs/${run}?tab=requests`);
    await small.getByRole('navigation', { name: 'Requests' }).getByRole('button').nth(1).click();
    const below = small.getByRole('region', { name: 'Request' });
    await below.getByText('Begins as request 1.').waitFor();
    expect(await below.evaluate((one) => one === document.activeElement)).toBe(true);
    const top = (await small.getByRole('tabpanel').boundingBox())?.y ?? Infinity;
    expect((await below.boundingBox())?.y).toBeCloseTo(top, -1);
    await expectAccessible(small);
  });
});
