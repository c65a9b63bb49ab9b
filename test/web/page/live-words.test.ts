import { describe, expect, test } from 'vitest';
import { scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { eventually, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

const WORDS = 'one two three four five six seven eight nine ten eleven twelve. '.repeat(8).trim();

/** A model that takes its time with every few letters. */
const SLOWLY = `
rules:
  - when: { state: start }
    reply: { say: "${WORDS}", chunk: 6, pace_ms: 120 }
  - when: { state: again }
    reply: Done.
`;

describe.skipIf(CHROMIUM === null)('words on their way', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] [WL15] what an agent is saying is read while it says it, in its column and in its conversation, and then once', async () => {
    const served = await serve(scriptedProject({ 'answers.yaml': SLOWLY }));
    const { page, errors } = await tab(await open(), served.url);
    const { body } = await served.post('/api/runs', { workflow: 'two_steps', input: { task: 'Count' } });
    await page.goto(`http://127.0.0.1:${served.port}/runs/${String(body['run'])}`);
    const column = page.getByRole('region', { name: 'worker', exact: true });
    const said = async (): Promise<number> =>
      ((await column.getByText('one two three').last().textContent()) ?? '').length;
    await column.getByText('one two three').waitFor();
    const before = await said();
    expect(before).toBeLessThan(WORDS.length);
    await expect.poll(said, eventually).toBeGreaterThan(before);
    await page.getByRole('tab', { name: 'Transcript' }).click();
    const talk = page.getByRole('region', { name: 'Conversation' });
    await talk.getByText('is saying').waitFor();
    await expectAccessible(page);
    await talk.getByText('is saying').waitFor({ state: 'detached' });
    await talk.getByText('Done.').waitFor();
    expect(await talk.getByText('one two three').count()).toBe(1);
    expect(errors).toEqual([]);
  });
});
