import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';

/** Two turns of one agent. */
export const TWO_STEPS = {
  workflow_name: 'two_steps',
  input: { name: 'task', type: 'string' },
  output: { name: 'answer', type: 'string' },
  contexts: [{ name: 'talk' }],
  agents: [{ agent_role: 'worker', context: 'talk', role: 'assistant' }],
  states: [
    { name: 'start', agent: 'worker', input: 'common_data.task', transition: [{ target: 'again' }] },
    {
      name: 'again',
      agent: 'worker',
      input: "'And now in one word.'",
      transition: [{ target: 'stop', before: 'this.common_data.answer = this.last_agent_response' }],
    },
    { name: 'stop' },
  ],
};

const ROLES = { worker: { level: 'base', systemMessage: 'You work.' } };

export const SCENARIO = `
rules:
  - when: { state: start }
    reply: A long answer.
  - when: { state: again }
    reply: Done.
`;

/** A project with the two-step workflow and a scripted model in the process itself. */
export function scriptedProject(files: Readonly<Record<string, string>> = {}, options: SandboxOptions = {}): Sandbox {
  const own = {
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n',
    '.troupe/roles/roles.json': JSON.stringify(ROLES),
    '.troupe/workflows/two_steps.json': JSON.stringify(TWO_STEPS, null, 2),
    'answers.yaml': SCENARIO,
  };
  return createSandbox({ ...own, ...files }, options);
}

export const configFor = (url: string): string =>
  `models:\n  base: { provider: openai-compatible, base_url: "${url}/v1", model: scripted }\n`;

/** The source of a TypeScript workflow that ends in the given way. */
export function endingWorkflow(outcome: string): string {
  return `import { defineWorkflow } from 'troupe';
export const workflow = defineWorkflow({
  name: 'ending',
  data: {},
  states: { start: { transitions: ['done'] }, done: { kind: 'end', outcome: '${outcome}', output: "'came out'" } },
});
`;
}

export const ASKING = `import { defineWorkflow } from 'troupe';
export const asking = defineWorkflow({
  name: 'asking',
  output: 'colour',
  data: { colour: '' },
  states: {
    start: {
      work: { kind: 'ask', question: "'Which colour?'", choices: ['red', 'blue'] },
      transitions: [{ target: 'done', assign: 'this.common_data.colour = result' }],
    },
    done: { kind: 'end' },
  },
});
`;

/** The same, and then an agent's turn. */
export const ASK_THEN_WORK = ASKING.replace(
  "done: { kind: 'end' }",
  `work: { work: { kind: 'turn', agent: 'worker', input: "'Work'" }, transitions: ['done'] },
    done: { kind: 'end', output: 'this.last_agent_response' }`,
)
  .replace("target: 'done'", "target: 'work'")
  .replace("data: { colour: '' },", "data: { colour: '' }, agents: { worker: {} },");
