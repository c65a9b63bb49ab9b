import { describe, expect, test } from 'vitest';
import { scriptedProject } from '../../cli/projects.ts';
import { serve, type Served } from '../server/served.ts';
import { entry, eventually, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

/** Two who share a conversation, so that each sees the other's words under a name. */
const TWO_VOICES = {
  workflow_name: 'two_voices',
  input: { name: 'task', type: 'string' },
  contexts: [{ name: 'talk' }],
  agents: [
    { agent_role: 'ann', context: 'talk', role: 'assistant' },
    { agent_role: 'ben', context: 'talk', role: 'assistant' },
  ],
  states: [
    { name: 'start', agent: 'ann', input: 'common_data.task', transition: [{ target: 'reply' }] },
    { name: 'reply', agent: 'ben', input: "'And you?'", transition: [{ target: 'stop' }] },
    { name: 'stop' },
  ],
};

const ROLES = {
  ann: { level: 'base', systemMessage: 'You are Ann.' },
  ben: { level: 'base', systemMessage: 'You are Ben.' },
};

const VOICES = `
rules:
  - when: { agent: ann }
    reply: I would paint it blue.
  - when: { agent: ben }
    reply: I would paint it red.
`;

async function started(served: Served, workflow: string, task: string): Promise<string> {
  const { body } = await served.post('/api/runs', { workflow, input: { task } });
  return String(body['run']);
}

describe.skipIf(CHROMIUM === null)('going away and coming back', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] a run that was left before it was read shows its graph on return', async () => {
    const served = await serve(scriptedProject());
    const run = await started(served, 'two_steps', 'alpha');
    const { page, errors } = await tab(await open(), served.url);
    const held = Promise.withResolvers<void>();
    await page.route('**/records?**', async (route) => {
      await held.promise;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('link', { name: 'alpha' }).click();
    await page.waitForURL(`**/runs/${run}`);
    await page.getByRole('link', { name: 'Board', exact: true }).click();
    await page.getByRole('heading', { name: 'Board of runs' }).waitFor();
    held.resolve();
    await page.unroute('**/records?**');
    await page.getByRole('link', { name: 'alpha' }).click();
    await page.getByRole('button', { name: /^turn again/ }).waitFor();
    expect(errors).toEqual([]);
  });

  test('[U2] what is cleared stays cleared, and a filter by workflow and by project is kept in the address', async () => {
    const served = await serve(
      scriptedProject({
        '.troupe/workflows/other.json': JSON.stringify({
          workflow_name: 'other',
          input: { name: 'task', type: 'string' },
          states: [{ name: 'start', transition: [{ target: 'stop' }] }, { name: 'stop' }],
        }),
      }),
    );
    await Promise.all([started(served, 'two_steps', 'alpha'), started(served, 'other', 'beta')]);
    const { page } = await tab(await open(), served.url);
    const search = () => new URL(page.url()).searchParams;
    await page.getByRole('link', { name: 'alpha' }).waitFor();
    await page.getByRole('link', { name: 'beta' }).waitFor();
    const field = page.getByLabel(/^Search in titles/);
    await field.fill('gamma');
    await page.getByText('No run fits').waitFor();
    await page.getByRole('button', { name: 'Show all runs' }).click();
    await page.getByRole('link', { name: 'alpha' }).waitFor();
    expect(await field.inputValue()).toBe('');
    await page.getByRole('combobox', { name: 'Workflow' }).selectOption('other');
    await page.getByRole('link', { name: 'alpha' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'beta' }).waitFor();
    await page.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'This project' });
    await expect.poll(() => search().get('project'), eventually).not.toBeNull();
    expect(search().get('workflow')).toBe('other');
    await page.reload();
    await page.getByRole('link', { name: 'beta' }).waitFor();
    expect(await page.getByRole('link', { name: 'alpha' }).count()).toBe(0);
  });

  test('[U2] [SM3] a conversation is seen from each side in turn: the reader is the assistant, the other has a name', async () => {
    const sandbox = scriptedProject({
      '.troupe/workflows/two_voices.json': JSON.stringify(TWO_VOICES),
      '.troupe/roles/roles.json': JSON.stringify(ROLES),
      'answers.yaml': VOICES,
    });
    const served = await serve(sandbox);
    const run = await started(served, 'two_voices', 'Which colour?');
    await sandbox.troupe(['watch', run]);
    const { page, errors } = await tab(await open(), entry(served, `/runs/${run}?tab=transcript&context=talk`));
    const talk = page.getByRole('region', { name: 'Conversation' });
    const sides = page.getByLabel('Through whose eyes');
    const says = (words: string) => talk.getByRole('article').filter({ hasText: words });
    await says('I would paint it blue.').waitFor();
    for (const [reader, own, other] of [
      ['ann', 'blue', 'red'],
      ['ben', 'red', 'blue'],
      ['ann', 'blue', 'red'],
    ] as const) {
      await sides.selectOption(reader);
      await says(`paint it ${own}.`).getByText('assistant', { exact: true }).waitFor();
      await says(`paint it ${other}.`).getByText('user', { exact: true }).waitFor();
    }
    expect(errors).toEqual([]);
  });
});
