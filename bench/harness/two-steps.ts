import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a project as a user has it: a configuration, a workflow file, two roles. */
export function makeTwoSteps(folder: string, model: string): string {
  mkdirSync(join(folder, '.troupe/roles'), { recursive: true });
  writeFileSync(join(folder, '.troupe/config.yaml'), `models:\n  base: ${model}\n`);
  writeFileSync(join(folder, '.troupe/roles/roles.json'), JSON.stringify(ROLES));
  writeFileSync(join(folder, 'scenario.yaml'), 'rules: []\n');
  writeFileSync(join(folder, 'two_steps.json'), JSON.stringify(TWO_STEPS));
  return folder;
}

const ROLES = {
  first: { level: 'base', systemMessage: 'You begin.' },
  second: { level: 'base', systemMessage: 'You end.' },
};

const TWO_STEPS = {
  workflow_name: 'two_steps',
  input: { name: 'task', type: 'string' },
  contexts: [{ name: 'work' }],
  agents: [
    { agent_role: 'first', context: 'work', role: 'assistant' },
    { agent_role: 'second', context: 'work', role: 'user' },
  ],
  states: [
    { name: 'start', transition: [{ target: 'one' }] },
    {
      name: 'one',
      agent: 'first',
      input: 'common_data.task',
      action: { function: 'sendUserMessage' },
      transition: [{ target: 'two' }],
    },
    { name: 'two', agent: 'second', action: { function: 'sendUserMessage' }, transition: [{ target: 'stop' }] },
    { name: 'stop' },
  ],
};
