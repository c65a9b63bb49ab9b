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

/** Beside the two steps: so many agents' turns one after the other. */
export function makeManySteps(folder: string, count: number): void {
  const names = Array.from({ length: count }, (_, at) => `s${at}`);
  const states = names.map((name, at) => ({
    name,
    agent: at % 2 === 0 ? 'first' : 'second',
    ...(at === 0 ? { input: 'common_data.task' } : {}),
    action: { function: 'sendUserMessage' },
    transition: [{ target: names[at + 1] ?? 'stop' }],
  }));
  const document = {
    ...TWO_STEPS,
    workflow_name: 'many_steps',
    states: [{ name: 'start', transition: [{ target: names[0] }] }, ...states, { name: 'stop' }],
  };
  writeFileSync(join(folder, 'many_steps.json'), JSON.stringify(document));
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
