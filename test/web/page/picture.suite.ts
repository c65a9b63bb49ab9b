import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { serve } from '../server/served.ts';
import { eventually, expectAccessible, SLOW, tab, type View } from './browser.ts';
import { demoProject } from './demo.ts';
import { demoScenario, TASK } from './demo-files.ts';
import { heldModel } from './held-model.ts';
import type { RecordedPages } from './recorded.ts';

/** Where one looks: changes only when the camera moves. */
const camera = async (page: Page): Promise<string> =>
  (await page.locator('.react-flow__viewport').getAttribute('style')) ?? '';

const place = async (page: Page, node: string): Promise<readonly number[]> => {
  const { x, y } = (await page.locator(`[data-node="${node}"]`).boundingBox()) ?? { x: 0, y: 0 };
  return [x, y];
};

/** What is seen when nothing moves any more: what was chosen takes some room from the picture, a few frames later. */
async function resting<Seen extends string | readonly number[]>(page: Page, look: () => Promise<Seen>): Promise<Seen> {
  let before = '';
  for (;;) {
    const now = await look();
    if (String(now) === before) return now;
    before = String(now);
    await page.evaluate(async () => {
      for (let frame = 0; frame < 20; frame += 1)
        await new Promise<void>((done) => requestAnimationFrame(() => done()));
    });
  }
}

const restingPlace = (page: Page, node: string): Promise<readonly number[]> => resting(page, () => place(page, node));

/** How far it lies from where it lay, in pixels. The frame of what is unfolded is a little thicker, and that is all. */
const moved = async (page: Page, node: string, from: readonly number[]): Promise<number> =>
  Math.max(...(await restingPlace(page, node)).map((at, index) => Math.abs(at - (from[index] ?? 0))));

const chosen = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

export function pictureSuite({ open, recorded, lookAt }: RecordedPages): void {
  describe('the picture of a run', SLOW, () => {
    const played = (view?: View): Promise<Page> => lookAt(`/runs/${recorded().review}`, view);

    test('[U2] graph, time line and address show the same selection; none of the visits is hidden', async () => {
      const page = await played();
      await page.getByRole('button', { name: /^end done, done, visit 1/ }).waitFor();
      expect(await page.locator('[data-edge][data-last="true"]').count()).toBe(1);
      await page.getByRole('button', { name: /^pool verify/ }).click();
      await expect.poll(() => chosen(page).get('state'), eventually).toBe('verify');
      const visits = page.getByRole('group', { name: 'Visits of verify' });
      await visits.getByRole('button', { name: /visit 1/ }).click();
      await expect.poll(() => chosen(page).get('visit'), eventually).toBe('1');
      await page.getByRole('button', { name: /^smart_coder: implement/ }).click();
      await expect.poll(() => chosen(page).get('agent'), eventually).toBe('smart_coder');
      expect(await page.getByRole('button', { name: /^pool implement/ }).getAttribute('aria-pressed')).toBe('true');
      await expectAccessible(page);
      await page.keyboard.press('j');
      await expect.poll(() => chosen(page).get('state'), eventually).not.toBe('implement');
    });

    test('[U2] the keyboard goes from node to node, unfolds what is inside, and nothing jumps away', async () => {
      const page = await played();
      const implement = page.getByRole('button', { name: /^pool implement/ });
      await implement.focus();
      await page.keyboard.press('ArrowDown');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')).not.toContain(
        'implement',
      );
      await page.keyboard.press('Enter');
      await expect.poll(() => chosen(page).get('state'), eventually).not.toBeNull();
      await implement.focus();
      const before = await restingPlace(page, 'implement');
      await page.keyboard.press('Shift+Enter');
      await page.getByRole('button', { name: /^unit fast_coder/ }).waitFor();
      expect(await moved(page, 'implement', before)).toBeLessThan(4);
      // By the keyboard too: unfolded it is wider than the picture, and its button may lie outside.
      await implement.focus();
      await page.keyboard.press('Shift+Enter');
      await page.getByRole('button', { name: /^unit fast_coder/ }).waitFor({ state: 'detached' });
      expect(await moved(page, 'implement', before)).toBeLessThan(4);
    });

    test('[U2] while it runs: who is active is seen, the camera stays, and follows only when asked', async () => {
      const model = await heldModel(demoScenario());
      model.hold('smart_coder', 'smart_reviewer');
      const sandbox = demoProject({ url: model.url });
      const served = await serve(sandbox);
      const { page } = await tab(await open(), served.url);
      const { body } = await served.post('/api/runs', { workflow: 'slug_review', input: { task: TASK } });
      const run = String(body['run']);
      // What is unfolded at first is what is active in that moment, which may be another state.
      await page.goto(`http://127.0.0.1:${served.port}/runs/${run}?open=implement`);
      await page.getByRole('button', { name: /^unit smart_coder .*, active/ }).waitFor();
      await page.getByRole('button', { name: /^unit fast_coder .*, done/ }).waitFor();
      const before = await resting(page, () => camera(page));
      model.letGo('smart_coder');
      await page.getByRole('button', { name: /^pool review .*, active, visit 1/ }).waitFor();
      expect(await camera(page)).toBe(before);
      await page.getByRole('button', { name: 'Follow what is active' }).click();
      await expect.poll(() => camera(page), eventually).not.toBe(before);
      await page.getByRole('button', { name: /^smart_reviewer: review.*under way/ }).waitFor();
      model.letGo('smart_reviewer');
      await page.getByRole('button', { name: /^end done, done/ }).waitFor();
    });

    test('[U2] the time line: a part of it by dragging, all of it again, and where the money went', async () => {
      const page = await played();
      await page.getByRole('button', { name: /^smart_coder: implement/ }).waitFor();
      const axis = page.locator('[data-axis]');
      const all = await axis.innerText();
      const box = (await axis.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.mouse.move(box.x + box.width * 0.3, box.y + 8);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.4, box.y + 8);
      await page.mouse.up();
      await expect.poll(() => axis.innerText(), eventually).not.toBe(all);
      await page.getByRole('button', { name: 'All of the time' }).click();
      await expect.poll(() => axis.innerText(), eventually).toBe(all);
      await page.getByRole('group', { name: 'Totals' }).getByRole('button').click();
      const rows = page.getByRole('dialog').getByRole('row');
      await rows.filter({ hasText: 'smart_coder' }).waitFor();
      await page.getByRole('tab', { name: 'By run' }).click();
      await rows.filter({ hasText: 'slug_review' }).waitFor();
    });

    test('[U2] the outline of the same: first where it is narrow, with the keys of a tree', async () => {
      const page = await played({ width: 390, height: 844, theme: 'dark' });
      const tree = page.getByRole('tree', { name: 'Outline of the run' });
      const implement = tree.getByRole('treeitem', { name: /implement/ }).first();
      await implement.click();
      await expect.poll(() => chosen(page).get('state'), eventually).toBe('implement');
      if ((await implement.getAttribute('aria-expanded')) === 'false') await page.keyboard.press('ArrowRight');
      await expect.poll(() => implement.getAttribute('aria-expanded'), eventually).toBe('true');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await expect.poll(() => chosen(page).get('agent'), eventually).toBe('fast_coder');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show the graph' }).click();
      await page.getByRole('button', { name: /^pool implement/ }).waitFor();
      await expectAccessible(page);
    });
  });
}
