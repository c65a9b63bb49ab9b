import { expect, test } from 'vitest';
import type { QuestView } from '../../src/formats/quest/views/quest-view.ts';
import { createSandbox, jsonLines } from '../cli/sandbox.ts';

const tool = (name: string, given: object): object => ({ tools: [{ name, arguments: given }] });
const complete = (stepId: string): object =>
  tool('signal_back', { signal: 'complete', stepId, summary: `did ${stepId}` });

const SCENARIO = {
  rules: [
    {
      when: { role: 'chaoswhisperer' },
      reply: tool('set_requirements', { requirements: ['A word.'], contexts: [], observables: [] }),
    },
    {
      when: { role: 'pathseeker' },
      reply: tool('plan_steps', { steps: [{ id: 'one', title: 'One', files: [], after: [], acceptance: [] }] }),
    },
    {
      when: { role: 'codeweaver' },
      steps: [tool('write_file', { path: 'word.txt', content: 'bad\n' }), complete('one')],
    },
    {
      when: { role: 'spiritmender' },
      steps: [tool('write_file', { path: 'word.txt', content: 'good\n' }), complete('one')],
    },
    { when: { role: 'siegemaster' }, reply: complete('one') },
    { when: { role: 'lawbringer' }, reply: complete('review') },
  ],
};

test('[Q6] what checks a project is found in it, shown by init, and run by the engine', async () => {
  const sandbox = createSandbox({
    Makefile: 'test:\n\t! grep -s bad word.txt\nlint:\n\ttrue\n',
    'answers.json': JSON.stringify(SCENARIO),
  });
  const init = await sandbox.troupe(['init']);
  expect(init.stdout).toMatch(/make lint.*make test/);
  sandbox.write('.troupe/config.yaml', 'models:\n  base: { provider: scripted, scenario: answers.json }\n');
  const ran = await sandbox.troupe(['quest', 'new', 'A word', '--json', '--no-input']);
  expect(jsonLines(ran.stdout).at(-1)).toMatchObject({ outcome: 'ok', output: { ward: 'green' } });
  const view = JSON.parse((await sandbox.troupe(['quest', 'show', '--json'])).stdout) as QuestView;
  expect(view.ward).toEqual(['make lint', 'make test']);
  expect(view.steps[0]?.checks.map(({ outcome }) => outcome)).toEqual(['failed', 'ok']);
}, 60_000);
