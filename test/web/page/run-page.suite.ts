import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually, expectAccessible, pressTogether, SLOW, type View } from './browser.ts';
import type { RecordedPages } from './recorded.ts';

export function runPageSuite({ recorded, lookAt }: RecordedPages): void {
  describe('the page of a run', SLOW, () => {
    /** A place on the page of the demo's run, or of another one. */
    async function at(search: string, view: View & { readonly run?: string } = {}): Promise<Page> {
      const page = await lookAt(`/runs/${view.run ?? recorded().review}${search}`, view);
      await page.getByRole('tab', { name: 'Agents' }).waitFor();
      return page;
    }

    test('[U2] a conversation is read as it was said and as an agent sees it; a tool call unfolds, also as JSON', async () => {
      const page = await at('?tab=transcript');
      await page.getByRole('combobox', { name: 'Conversation' }).selectOption({ label: 'base_coder' });
      const talk = page.getByRole('region', { name: 'Conversation' });
      await talk.getByText('First I look at what the tests want.').waitFor();
      const call = talk.getByRole('button', { name: /^read_file test\/slug\.test\.js/ });
      await call.click();
      await talk.getByRole('region', { name: 'Result of read_file' }).getByText('hello-big-world').waitFor();
      await call.press('r');
      await talk.getByText('"name": "read_file"').waitFor();
      await page.getByLabel('Through whose eyes').selectOption({ label: 'as base_coder sees it' });
      await page.getByText('Its prompt begins with the role').waitFor();
      await talk.getByText('First I look at what the tests want.').waitFor();
      expect(new URL(page.url()).searchParams.get('as')).toBe('base_coder');
      await expectAccessible(page);
    });

    test('[U2] search finds words in the whole run, and a hit leads to where they stand; a link shows the same', async () => {
      const page = await at('');
      await page.keyboard.press('/');
      await page.keyboard.type('taken back');
      const hits = page.getByRole('region', { name: 'Where it stands' });
      await hits
        .getByRole('status')
        .getByText(/^\d+ times in \d+ records$/)
        .waitFor();
      await hits.getByRole('button').first().click();
      const chosen = page.locator('[aria-current="true"]').last();
      await chosen.waitFor();
      const { searchParams } = new URL(page.url());
      expect(Number(searchParams.get('seq'))).toBeGreaterThan(0);
      const words = await page.locator('li[aria-current="true"]').innerText();
      await page.reload();
      await expect.poll(() => page.locator('li[aria-current="true"]').innerText(), eventually).toBe(words);
      await page.getByLabel('Search in this run').fill('no such words');
      await page.getByText('“no such words” was not found in this run.').waitFor();
    });

    test('[U2] every record is there: by kind, by text, as JSON, and by its number in the address', async () => {
      const page = await at('?tab=events');
      await page.getByLabel('Kind').selectOption('run.settled');
      await page.getByRole('status').getByText('1 record').waitFor();
      await page.getByLabel('Kind').selectOption('');
      await page.getByLabel('Text in the records').fill('Red is red');
      // Of nearly two hundred a few are left: an earlier click would hit another one.
      await page
        .getByRole('status')
        .getByText(/^\d{1,2} records$/)
        .waitFor();
      const record = page.getByRole('region', { name: 'Records' }).getByRole('button', { expanded: false }).first();
      await record.click();
      await page.getByText('"reason": "Red is red."').first().waitFor();
      const link = page.url();
      expect(new URL(link).searchParams.get('seq')).toMatch(/^\d+$/);
      await page.goto(link);
      await page.getByText('"reason": "Red is red."').first().waitFor();
      await expectAccessible(page);
    });

    test('[U2] artifacts are opened, shown with their origin, and downloaded', async () => {
      const page = await at('?tab=artifacts', { run: recorded().feature });
      await page.getByRole('button', { name: /specs\/plan\.md/ }).click();
      await page.getByRole('heading', { name: 'Greet people' }).last().waitFor();
      await page.getByText('Where it comes from').click();
      await page.getByText(/with submit_output/).waitFor();
      await expectAccessible(page);
      const saved = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download' }).click();
      expect((await saved).suggestedFilename()).toBe('plan.md');
      await page.getByRole('button', { name: /specs\/tasks\.json/ }).click();
      await page.getByText('"description": "Greet people"').waitFor();
      const artifact = new URL(page.url()).searchParams.get('artifact');
      await page.reload();
      await page.getByText('"description": "Greet people"').waitFor();
      expect(new URL(page.url()).searchParams.get('artifact')).toBe(artifact);
    });

    test('[U2] changes are shown by agent and against any moment, with what reviewers said at their lines', async () => {
      const page = await at('?tab=changes');
      const files = page.getByRole('list', { name: 'Changed files' });
      await files.getByRole('button', { name: /slug\.js.*2 findings/ }).waitFor();
      await page.getByRole('article', { name: 'Finding F3' }).getByText('A title without a single letter').waitFor();
      await expectAccessible(page);
      await page.getByLabel('Whose files').selectOption({ label: 'fast_coder' });
      await page.getByRole('article', { name: 'Finding F1' }).getByText('Only single spaces are joined').waitFor();
      await expect.poll(() => files.getByRole('button').count(), eventually).toBe(1);
      await page.getByLabel('Whose files').selectOption({ label: 'smart_coder' });
      await expect.poll(() => files.getByRole('button').count(), eventually).toBe(3);
      await page.getByRole('checkbox', { name: 'Reviewed src/slug.js' }).check();
      await page.getByText('1 of 3 reviewed').waitFor();
      const bases = await page.getByLabel('Compared with').locator('option').allTextContents();
      expect(bases.length).toBeGreaterThan(2);
      await page.getByLabel('Compared with').selectOption({ label: bases.find((one) => one.includes('revise')) ?? '' });
      await expect.poll(() => files.getByRole('button').count(), eventually).toBeLessThan(3);
      await page.reload();
      await expect.poll(() => files.getByRole('button').count(), eventually).toBeLessThan(3);
    });

    test('[U2] every key does what the help says', async () => {
      const page = await at('');
      const search = () => new URL(page.url()).searchParams;
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      for (const label of ['Next step', 'Previous agent', 'Fork from the selected step', 'Show the changes'])
        await help.getByText(label).waitFor();
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
      const steps: (string | null)[] = [];
      for (const key of ['j', 'j', 'k']) {
        const before = page.url();
        await page.keyboard.press(key);
        await expect.poll(() => page.url(), eventually).not.toBe(before);
        steps.push(`${search().get('state')} ${search().get('visit')}`);
      }
      expect(steps[2]).toBe(steps[0]);
      const agents: (string | null)[] = [];
      for (const key of ['l', 'l', 'h']) {
        const before = page.url();
        await page.keyboard.press(key);
        await expect.poll(() => page.url(), eventually).not.toBe(before);
        agents.push(search().get('agent'));
      }
      expect(agents[2]).toBe(agents[0]);
      expect(agents[1]).not.toBe(agents[0]);
      await page.keyboard.press('f');
      await page.getByRole('dialog', { name: 'Fork the run' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('d');
      await page.waitForURL('**tab=changes**');
      await page.keyboard.press('/');
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName), eventually).toBe('INPUT');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('deliver');
      await page.getByRole('option', { name: /Deliver the result/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await pressTogether(page, 'g', 'i');
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    });

    test('[U2] the address keeps what is chosen: state, visit, tab and finding are there again', async () => {
      const page = await at('?tab=debate&finding=F2&state=debate&visit=2');
      const shown = async (): Promise<void> => {
        await page.getByRole('complementary', { name: 'Finding F2' }).waitFor();
        await page
          .getByRole('group', { name: 'Visits of debate' })
          .getByRole('button', { name: /^visit 2/, pressed: true })
          .waitFor();
      };
      await shown();
      await page.reload();
      await shown();
      // What is chosen is in sight; all of it is one key away.
      await page.keyboard.press('0');
      await page.getByRole('button', { name: /^pool implement / }).click();
      await page.getByRole('group', { name: 'Visits of implement' }).waitFor();
      const { searchParams } = new URL(page.url());
      expect([searchParams.get('tab'), searchParams.get('state')]).toEqual(['debate', 'implement']);
    });

    test('[U2] a run page is used by keyboard alone: every stop is seen, and there is a way out', async () => {
      const page = await at('');
      const seen = new Set<string>();
      for (let count = 0; count < 150; count += 1) {
        await page.keyboard.press('Tab');
        const stop = await page.evaluate(focused);
        if (stop === null) break;
        expect(stop).toMatchObject({ isVisible: true, isMarked: true });
        seen.add(stop.name);
      }
      expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
      for (const name of ['Skip to the content', 'Fork', 'Width of the picture', 'Agents'])
        expect([...seen].some((one) => one.includes(name))).toBe(true);
    });

    test('[U2] at 390 pixels nothing is cut off, what was asked for comes first, and the picture unfolds', async () => {
      const page = await at('', { width: 390, height: 844 });
      await page.getByRole('tree').waitFor();
      for (const name of ['Transcript', 'Requests', 'Debate', 'Changes', 'Artifacts', 'Events', 'Problems', 'Agents']) {
        await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
        await page.waitForURL(`**tab=${name.toLowerCase()}**`);
        const panel = page.getByRole('tabpanel', { name: new RegExp(`^${name}`) });
        await expect.poll(async () => (await panel.boundingBox())?.y, eventually).toBeLessThan(500);
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        expect([name, isWide]).toEqual([name, false]);
        await expectAccessible(page, name);
      }
      await page.getByRole('button', { name: 'Workflow and timeline' }).click();
      await page.getByRole('tree').waitFor();
    });
  });
}

/** Runs on the page: what has the focus, whether it can be seen, and whether that it has it can be seen. */
function focused(): { readonly name: string; readonly isVisible: boolean; readonly isMarked: boolean } | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (element === null || element === document.body) return null;
  const box = element.getBoundingClientRect();
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 60);
  return {
    name,
    isVisible: box.width > 0 && box.height > 0,
    isMarked: (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none',
  };
}
