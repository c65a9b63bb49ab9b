import { describe, expect, test } from 'vitest';
import type { RunView } from '../../../src/protocol/run-view.ts';
import { scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { entry, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

/** Two agents write one file, each in its own workspace; a person is asked before the merges. */
const BOTH = `import { defineWorkflow } from 'troupe';
const write = (agent) => ({ work: { kind: 'turn', agent, input: "'Write it'" } });
export const both = defineWorkflow({
  name: 'both',
  data: {},
  agents: { ann: { role: 'worker', workspace: 'own' }, bob: { role: 'worker', workspace: 'own' } },
  states: {
    start: { work: { kind: 'pool', units: { a: write('ann'), b: write('bob') } }, transitions: ['ask'] },
    ask: { work: { kind: 'ask', question: "'Merge?'", choices: ['yes'] }, transitions: ['first'] },
    first: { work: { kind: 'merge', agent: 'ann' }, transitions: ['second'] },
    second: { work: { kind: 'merge', agent: 'bob' }, transitions: ['done'], on: { blocked: ['done'] } },
    done: { kind: 'end' },
  },
});
`;

const ANSWERS = `
rules:
  - when: { state: start, call: 1, agent: ann }
    reply:
      tools: [{ name: write_file, arguments: { path: menu.txt, content: "soup by ann" } }]
  - when: { state: start, call: 1, agent: bob }
    reply:
      tools: [{ name: write_file, arguments: { path: menu.txt, content: "soup by bob" } }]
  - when: { state: start }
    reply: Written.
`;

describe.skipIf(CHROMIUM === null)('overlapping changes on the page', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] [Q9] the page, the terminal and `show` name a file that two workspaces changed, until they are merged', async () => {
    const sandbox = scriptedProject({ 'both.ts': BOTH, 'answers.yaml': ANSWERS, 'menu.txt': 'soup\n' });
    const ran = await sandbox.troupe(['run', 'both.ts', '--no-input']);
    const text = 'menu.txt: changed by ann and bob';
    expect(`${ran.stdout}${ran.stderr}`).toContain(`[overlap] ${text}`);
    const shown = async () => JSON.parse((await sandbox.troupe(['show', 'last', '--json'])).stdout) as RunView;
    const { run, overlaps } = await shown();
    expect(overlaps).toMatchObject([{ file: 'menu.txt', by: [{ agents: ['ann'] }, { agents: ['bob'] }] }]);

    const served = await serve(sandbox);
    const { page, errors } = await tab(await open(), entry(served, `/runs/${run}`));
    const notice = page.getByRole('region', { name: 'Overlapping changes' });
    await notice.getByText(text).waitFor();
    await expectAccessible(page);

    await page.getByRole('region', { name: 'Questions of this run' }).getByRole('button', { name: 'yes' }).click();
    await notice.waitFor({ state: 'detached' });
    expect(await shown()).not.toHaveProperty('overlaps');
    expect(errors).toEqual([]);
  });
});
