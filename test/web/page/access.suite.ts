import { describe, expect, test } from 'vitest';
import { COLOURS, expectAccessible, expectAccessibleInBoth, SLOW, tab } from './browser.ts';
import type { Recorded, RecordedPages } from './recorded.ts';

/** Every page with all its parts, and every dialog; with words that stand there when it is whole. */
const PLACES: readonly (readonly [string, (runs: Recorded) => string, string | RegExp])[] = [
  ['the board', () => '/', 'Board of runs'],
  ['the inbox', () => '/inbox', 'Nothing waits for you'],
  ['the workflows', () => '/workflows', 'slug_review'],
  ['a workflow', () => '/workflows/slug_review', 'no problems'],
  ['a broken workflow', () => '/workflows/broken', '3 errors'],
  ['no such page', () => '/nowhere', 'There is no such page'],
  ['no such run', () => '/runs/nobody', 'This run cannot be shown'],
  ['agents', ({ review }) => `/runs/${review}?tab=agents`, 'All tests pass'],
  ['transcript', ({ review }) => `/runs/${review}?tab=transcript&q=accents`, /times in/],
  [
    'transcript as seen',
    ({ review }) => `/runs/${review}?tab=transcript&as=base_coder`,
    'Its prompt begins with the role',
  ],
  ['debate', ({ review }) => `/runs/${review}?tab=debate&finding=F3`, 'fixed:'],
  ['changes', ({ review }) => `/runs/${review}?tab=changes`, 'A title without a single letter'],
  ['artifacts', ({ feature }) => `/runs/${feature}?tab=artifacts`, 'specs/plan.md'],
  ['no artifacts', ({ review }) => `/runs/${review}?tab=artifacts`, 'No artifacts'],
  ['events', ({ review }) => `/runs/${review}?tab=events&seq=1`, '"kind": "run.started"'],
  ['problems', ({ review }) => `/runs/${review}?tab=problems`, 'red, 1 passed'],
  ['a state', ({ review }) => `/runs/${review}?state=debate&visit=2`, 'visit 2'],
  ['fork', ({ review }) => `/runs/${review}?dialog=fork`, 'From the step'],
  ['deliver', ({ review }) => `/runs/${review}?dialog=deliver`, 'As a patch file'],
  ['rollback', ({ review }) => `/runs/${review}?dialog=rollback`, 'What to restore'],
  ['resume', ({ review }) => `/runs/${review}?dialog=resume`, 'The run is over'],
];

export function accessSuite({ open, recorded }: RecordedPages): void {
  describe('everybody can use it', () => {
    test('[U2] nothing on any page keeps people out, be it light or dark', { timeout: 480_000 }, async () => {
      const { served } = recorded();
      const { page, errors, outside } = await tab(await open({ theme: 'light' }), served.url);
      await page.getByText('Board of runs').waitFor();
      for (const [name, address, words] of PLACES) {
        const arrive = async (): Promise<void> => {
          await page.goto(new URL(address(recorded()), served.url).href);
          await page.getByText(words).first().waitFor();
        };
        await arrive();
        await expectAccessible(page, `${name}, light`);
        await page.emulateMedia({ colorScheme: 'dark' });
        // A style sheet knows both; the code of a diff is coloured again a little later.
        if (name === 'changes') await arrive();
        await expectAccessible(page, `${name}, dark`, COLOURS);
        await page.emulateMedia({ colorScheme: 'light' });
      }
      for (const key of ['?', 'Control+k', 'c']) {
        await page.goto(new URL('/', served.url).href);
        await page.getByText('Board of runs').waitFor();
        await page.keyboard.press(key);
        await page.getByRole('dialog').waitFor();
        await expectAccessibleInBoth(page);
      }
      expect([errors, outside]).toEqual([[], []]);
    });

    test('[U2] the colours follow the system until one is chosen, and the choice stays', SLOW, async () => {
      const { page } = await tab(await open({ theme: 'dark' }), recorded().served.url);
      const isDark = (): Promise<boolean> =>
        page.evaluate(() => {
          const [header] = document.getElementsByTagName('header');
          const paint = document.createElement('canvas').getContext('2d');
          if (paint === null || header === undefined) throw new Error('Nothing can be painted.');
          paint.fillStyle = getComputedStyle(header).backgroundColor;
          paint.fillRect(0, 0, 1, 1);
          const [red = 0] = paint.getImageData(0, 0, 1, 1).data;
          return red < 100;
        });
      await page.getByText('Board of runs').waitFor();
      expect(await isDark()).toBe(true);
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByText('Light', { exact: true }).click();
      await expect.poll(isDark).toBe(false);
      await page.reload();
      await page.getByText('Board of runs').waitFor();
      expect(await isDark()).toBe(false);
    });
  });
}
