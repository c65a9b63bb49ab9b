import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { gitProject, writingRun } from '../../cli/file-projects.ts';
import { serve, type Served } from '../server/served.ts';
import { COLOURS, eventually, expectAccessible, SLOW, tab, type View } from './browser.ts';
import { demoProject, playDemo } from './demo.ts';
import { TASK } from './demo-files.ts';
import type { RecordedPages } from './recorded.ts';

const camera = async (page: Page): Promise<string> =>
  (await page.locator('.react-flow__viewport').getAttribute('style')) ?? '';

/** Where one looks once nothing takes room from the picture any more, which it learns a few frames later. */
async function restingCamera(page: Page): Promise<string> {
  let before = '';
  for (;;) {
    const now = await camera(page);
    if (now !== '' && now === before) return now;
    before = now;
    await page.evaluate(async () => {
      for (let frame = 0; frame < 20; frame += 1)
        await new Promise<void>((done) => requestAnimationFrame(() => done()));
    });
  }
}

/** Of all words in the graph, in pixels of the screen. */
const LEAST_TEXT = `(() => {
  const { a: zoom } = new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform);
  const words = [...document.querySelectorAll('.graph-node *, .graph-label, .graph-mark, .graph-mark *')].filter((one) =>
    [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== ''));
  return words.length < 8 ? 0 : Math.min(...words.map((one) => Number.parseFloat(getComputedStyle(one).fontSize) * zoom));
})()`;

/** By how much a text is wider or narrower than its letters, each drawn by itself. */
const joinedBy = (text: string, family: string): string => `(async () => {
  const span = document.createElement('span');
  span.style.cssText = 'font-family: ${family}; font-kerning: none; font-size: 100px; white-space: pre';
  document.body.append(span);
  // Otherwise a font is loaded only when its first letters are drawn.
  await document.fonts.load('100px ' + getComputedStyle(span).fontFamily, '${text}');
  const widthOf = (words) => {
    span.textContent = words;
    return span.getBoundingClientRect().width;
  };
  const joined = widthOf('${text}') - [...'${text}'].reduce((sum, letter) => sum + widthOf(letter), 0);
  span.remove();
  return joined;
})()`;

const box = async (page: Page, name: string): Promise<{ readonly top: number; readonly bottom: number }> => {
  const { y, height } = (await page.locator(name).boundingBox()) ?? { y: 0, height: 0 };
  return { top: y, bottom: y + height };
};

/** A run goes on to its end, in a separate process. */
const WHOLE_RUN = { timeout: 90_000 };

const searched = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

export function looksSuite({ open, recorded, lookAt }: RecordedPages): void {
  describe('what a page looks like at first', SLOW, () => {
    async function at(served: Served, path: string, view: View = {}): Promise<Page> {
      const url = new URL(served.url);
      url.pathname = path;
      const { page } = await tab(await open(view), url.href);
      return page;
    }

    test('[U2] every word of a graph can be read at first, no tool lies over it, and one key shows all of it', async () => {
      const { review } = recorded();
      const page = await lookAt(`/runs/${review}`, { theme: 'dark' });
      await page.getByRole('region', { name: 'Outcome' }).waitFor();
      await page.getByRole('button', { name: /^pool implement/ }).waitFor();
      await expect.poll(() => page.evaluate<number>(LEAST_TEXT), eventually).toBeGreaterThanOrEqual(11);
      const tools = page
        .getByRole('region', { name: 'Workflow' })
        .getByRole('button', { name: /Whole graph|Zoom|Follow/ });
      const { top } = await box(page, '.react-flow');
      for (const tool of await tools.all()) {
        const place = (await tool.boundingBox()) ?? { y: Infinity, height: 0 };
        expect(place.y + place.height).toBeLessThanOrEqual(top);
      }
      const before = await restingCamera(page);
      await page.keyboard.press('0');
      await expect.poll(() => camera(page), eventually).not.toBe(before);
      const end = (await page.getByRole('button', { name: /^end done/ }).boundingBox()) ?? { y: Infinity, height: 0 };
      expect(end.y + end.height).toBeLessThan((await box(page, '.react-flow')).bottom);
      await page.keyboard.press('0');
      await expect.poll(() => camera(page), eventually).toBe(before);
      await expectAccessible(page);
    });

    test('[U2] a review that is over says who won and leads to what it changed', async () => {
      const { review } = recorded();
      for (const theme of ['light', 'dark'] as const) {
        const page = await lookAt(`/runs/${review}`, { theme });
        const outcome = page.getByRole('region', { name: 'Outcome' });
        await outcome.getByText(/Done · smart_coder won · approved · \d tests pass/).waitFor();
        await expectAccessible(page, `a result, ${theme}`, theme === 'light' ? undefined : COLOURS);
        await outcome.getByRole('button', { name: 'See the changes' }).click();
        await expect.poll(() => searched(page).get('tab'), eventually).toBe('changes');
        await outcome.getByRole('button', { name: 'Deliver' }).click();
        await page.getByRole('dialog', { name: 'Deliver the result' }).waitFor();
      }
    });

    test('[U2] phases say what they left behind, and their agents are called as people know them', async () => {
      const { feature } = recorded();
      const page = await lookAt(`/runs/${feature}`);
      await page.getByRole('region', { name: 'planning', exact: true }).waitFor();
      expect(await page.getByText(/^t\d+$/).count()).toBe(0);
      const outcome = page.getByRole('region', { name: 'Outcome' });
      await outcome.getByText('2 phases done').waitFor();
      await outcome.getByRole('button', { name: /plan\.md/ }).click();
      await expect.poll(() => searched(page).get('tab'), eventually).toBe('artifacts');
    });

    test('[U2] a run that did not come out well says why first, where, and forks from there', async () => {
      const sandbox = gitProject();
      const { run } = await writingRun(sandbox, '--max-tokens', '5', '--no-input');
      await sandbox.troupe(['answer', run, 'q1', 'stop']);
      const page = await at(await serve(sandbox), `/runs/${run}`);
      const outcome = page.getByRole('region', { name: 'Outcome' });
      await outcome.getByText(/^Stopped at a limit: /).waitFor();
      await expectAccessible(page);
      const step = outcome.getByRole('button').first();
      const name = (await step.textContent()) ?? '';
      await step.click();
      await expect.poll(() => searched(page).get('state'), eventually).toBe(name.split(' ')[0]);
      await outcome.getByRole('button', { name: 'Fork from this step' }).click();
      await page.getByRole('dialog', { name: 'Fork the run' }).waitFor();
    });

    test('[U2] who picks the best has a card to choose from; a fork tells its step, and what was done before it', async () => {
      const sandbox = demoProject({ isPicked: true });
      const run = await playDemo(sandbox);
      const served = await serve(sandbox);
      const page = await at(served, `/runs/${run}`);
      const question = page.getByRole('region', { name: 'Questions of this run' });
      const card = question.getByRole('article', { name: 'base_coder' });
      await card.getByRole('button', { name: 'Choose and revise: base_coder' }).click();
      await page.getByRole('region', { name: 'Outcome' }).getByText('base_coder won').waitFor(WHOLE_RUN);
      const { stdout } = await sandbox.troupe(['fork', run, '--at', 'review', '--no-run']);
      const fork = await at(served, `/runs/${stdout.trim()}`);
      await fork.getByRole('heading', { name: TASK, exact: true }).waitFor();
      await fork.getByRole('group', { name: 'Steering' }).getByText('at review').waitFor();
      await fork.getByRole('tabpanel', { name: 'Agents' }).getByText('before the fork').first().waitFor();
      await fork.goto(`http://127.0.0.1:${served.port}/`);
      const link = fork.getByRole('link', { name: /fork of/ });
      expect(await link.textContent()).toBe(`${TASK} (fork of ${run} at review)`);
    });

    test('[U2] the empty board shows what can be started, and starts it from there', async () => {
      const page = await at(await serve(demoProject()), '/');
      const list = page.getByRole('region', { name: 'Workflows to start with' });
      await list.getByText('Three write a function, two review and debate, you pick the best').waitFor();
      await expectAccessible(page);
      await list.getByRole('button', { name: /^slug_review/ }).click();
      const form = page.getByRole('dialog', { name: 'Start a run' });
      await expect.poll(() => form.getByLabel('Workflow').inputValue(), eventually).toBe('slug_review');
    });

    test('[U2] an id is drawn letter by letter: no x between digits becomes another sign', async () => {
      const page = await lookAt('/');
      await page.getByRole('heading', { name: 'Done' }).waitFor();
      for (const family of ['inherit', 'var(--font-mono)'])
        expect(Math.abs(await page.evaluate<number>(joinedBy('8x98fq->bb', family)))).toBeLessThan(1);
    });

    test('[U2] at 390 pixels the totals are one row, and what came out stands above everything else', async () => {
      const { review } = recorded();
      const page = await lookAt(`/runs/${review}`, { width: 390, height: 844 });
      await page.getByRole('region', { name: 'Outcome' }).getByText('smart_coder won').waitFor();
      const totals = (await page.getByRole('group', { name: 'Totals' }).boundingBox()) ?? { height: Infinity };
      expect(totals.height).toBeLessThan(64);
      await page.getByRole('button', { name: 'Show the graph' }).click();
      await page.getByRole('button', { name: /^pool implement/ }).waitFor();
      await expect.poll(() => page.evaluate<number>(LEAST_TEXT), eventually).toBeGreaterThanOrEqual(11);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    });
  });
}
