import { describe, expect, test } from 'vitest';
import { writingRun, gitProject } from '../../cli/file-projects.ts';
import { serve } from '../server/served.ts';
import { entry, SLOW, tab } from './browser.ts';
import type { RecordedPages } from './recorded.ts';

const MONEY = /^\$\d/;
const TIME = /\d ?(?:ms|s|m)/;

export function figuresSuite({ open, recorded, lookAt }: RecordedPages): void {
  describe('what it cost and how long it took', SLOW, () => {
    test('[U2] a card has its cost and its time, and the strip of a run tokens in, out and from the cache, and money', async () => {
      const { review } = recorded();
      const page = await lookAt('/');
      const card = page.getByRole('article').filter({ has: page.locator(`a[href="/runs/${review}"]`) });
      await card.getByText(MONEY).waitFor();
      expect(await card.getByTitle('how long it has worked').textContent()).toMatch(TIME);
      await card.getByRole('link').first().click();
      const totals = page.getByRole('group', { name: 'Totals' });
      for (const label of ['Tokens in', 'From cache', 'Tokens out', 'Cost', 'Time', 'Agents'])
        await totals.getByText(label, { exact: true }).waitFor();
      await totals.getByText(MONEY).waitFor();
    });

    test('[U2] [L10] a limit stands in the strip with how much of it is used', async () => {
      const sandbox = gitProject();
      const { run } = await writingRun(sandbox, '--max-tokens', '100000', '--max-usd', '5');
      const served = await serve(sandbox);
      const { page } = await tab(await open(), entry(served, `/runs/${run}`));
      const meter = page.getByRole('meter', { name: 'Limit on tokens' });
      await meter.waitFor();
      expect(await meter.getAttribute('aria-valuetext')).toMatch(/ of 100k$/i);
      await page.getByRole('meter', { name: 'Limit on cost' }).waitFor();
    });

    test('[U2] beside the matrix of a debate stand the answers that speak of a finding, and what it cost by part', async () => {
      const page = await lookAt(`/runs/${recorded().review}?tab=debate&finding=F2`);
      const pane = page.getByRole('complementary', { name: 'Finding F2' });
      await pane.getByText(/\d+ answers? speaks? of it|\d+ answers speak of it/).waitFor();
      expect(await pane.getByRole('article').count()).toBeGreaterThan(0);
      const cost = page.getByRole('region', { name: 'What it cost' });
      await cost
        .getByRole('row')
        .filter({ hasText: /^Debate \(\d+ rounds\)/ })
        .getByText(MONEY)
        .waitFor();
      await page.getByRole('region', { name: 'Outcome' }).getByText('the debate cost').waitFor();
    });

    test('[U2] every agent has a lane, and so has what no agent does', async () => {
      const page = await lookAt(`/runs/${recorded().review}`);
      await page.getByRole('button', { name: /^smart_coder: implement/ }).waitFor();
      const names = await page.locator('[data-lanes] > div').evaluateAll((rows) => rows.map((row) => row.textContent));
      for (const agent of ['fast_coder', 'base_coder', 'smart_coder', 'smart_reviewer', 'base_reviewer', 'Engine'])
        expect(names.some((name) => name.startsWith(agent))).toBe(true);
    });

    test('[U2] the page of a workflow has each role with its prompt', async () => {
      const page = await lookAt('/workflows/slug_review');
      await page.getByRole('tab', { name: /^Roles/ }).click();
      const role = page.getByRole('listitem').filter({ hasText: 'smart_reviewer' });
      await role.getByText('smart_reviewer').first().click();
      await role.locator('pre').first().waitFor();
      expect(((await role.locator('pre').first().textContent()) ?? '').length).toBeGreaterThan(100);
    });
  });
}
