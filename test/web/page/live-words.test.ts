import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LISTENING_FILE, LIVE_FOLDER } from '../../../src/protocol/web/live-words.ts';
import { configFor, scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { eventually, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { heldModel } from './held-model.ts';

const WORDS = 'one two three four five six seven eight nine ten eleven twelve. '.repeat(8).trim();

/** A model that says a few letters at a time. */
const IN_PIECES = `
rules:
  - when: { state: start }
    reply: { say: "${WORDS}", chunk: 6 }
  - when: { state: again }
    reply: Done.
`;

describe.skipIf(CHROMIUM === null)('words on their way', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] [WL15] what an agent is saying is read while it says it, in its column and in its conversation, and then once', async () => {
    const model = await heldModel(IN_PIECES);
    model.hold('worker');
    model.holdWords('worker');
    const sandbox = scriptedProject({ '.troupe/config.yaml': configFor(model.url) });
    const served = await serve(sandbox);
    const { page, errors } = await tab(await open(), served.url);
    const { body } = await served.post('/api/runs', { workflow: 'two_steps', input: { task: 'Count' } });
    await page.goto(`http://127.0.0.1:${served.port}/runs/${String(body['run'])}`);
    // Words are written only while somebody listens.
    const listening = join(sandbox.home, LIVE_FOLDER, LISTENING_FILE);
    await expect.poll(() => existsSync(listening), eventually).toBe(true);
    model.letOne('worker');
    model.letWords('worker');
    const column = page.getByRole('region', { name: 'worker', exact: true });
    const said = async (): Promise<number> =>
      ((await column.getByText('one two three').last().textContent()) ?? '').length;
    await column.getByText('one two three').waitFor();
    const before = await said();
    expect(before).toBeLessThan(WORDS.length);
    model.letWords('worker');
    await expect.poll(said, eventually).toBeGreaterThan(before);
    await page.getByRole('tab', { name: 'Transcript' }).click();
    const talk = page.getByRole('region', { name: 'Conversation' });
    await talk.getByText('is saying').waitFor();
    await expectAccessible(page);
    model.letGo('worker');
    await talk.getByText('is saying').waitFor({ state: 'detached' });
    await talk.getByText('Done.').waitFor();
    expect(await talk.getByText('one two three').count()).toBe(1);
    expect(errors).toEqual([]);
  });
});
