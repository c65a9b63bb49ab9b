import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually, SLOW, type View } from './browser.ts';
import type { RecordedPages } from './recorded.ts';

export function roomSuite({ recorded, lookAt }: RecordedPages): void {
  describe('the room of the page of a run', SLOW, () => {
    async function at(search: string, view: View): Promise<Page> {
      const page = await lookAt(`/runs/${recorded().review}${search}`, view);
      await page.getByRole('tab', { name: 'Agents' }).waitFor();
      return page;
    }

    test('[U2] at 390 pixels all totals are in sight, money too, and none has to be scrolled to', async () => {
      const page = await at('', { width: 390, height: 844 });
      const totals = page.getByRole('group', { name: 'Totals' });
      const hidden = await totals.evaluate((box) => [
        box.scrollWidth - box.clientWidth,
        box.scrollHeight - box.clientHeight,
      ]);
      expect(hidden).toEqual([0, 0]);
      for (const label of ['Status', 'Cost', 'Agents']) {
        const place = await totals.getByText(label, { exact: true }).boundingBox();
        expect((place?.x ?? 0) + (place?.width ?? 390)).toBeLessThan(390);
      }
    });

    test('[U2] the picture takes the room that comes free, so that nothing stays cut off beside empty space', async () => {
      const page = await at('?state=done&visit=1', { width: 1280, height: 480 });
      const top = page.getByRole('button', { name: /^pool implement/ });
      const pane = page.locator('.react-flow');
      const overTop = async (): Promise<boolean> => {
        const [node, box] = [await top.boundingBox(), await pane.boundingBox()];
        return (node?.y ?? 0) < (box?.y ?? 0);
      };
      await expect.poll(overTop, eventually).toBe(true);
      await page.setViewportSize({ width: 1280, height: 1400 });
      await expect.poll(overTop, eventually).toBe(false);
    });

    test('[U2] the steps one can fork from say when they were as the conversation does', async () => {
      const page = await at('', {});
      await page.getByRole('button', { name: 'Fork', exact: true }).click();
      const choice = page.getByLabel('From the step');
      await choice.waitFor();
      const steps = await choice.locator('option').allInnerTexts();
      expect(steps.filter((step) => !/ · \d{2}:\d{2}:\d{2} · /.test(step))).toEqual([]);
      expect(steps.length).toBeGreaterThan(5);
    });
  });
}
