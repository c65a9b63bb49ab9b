import type { Expression } from './expression.ts';
import type { Definition } from './role.ts';
import { DEFAULT_LIMITS, type Workflow } from './workflow.ts';

/** A sub-agent is a run like any other: one agent of a role, told what to do, whose last words are the result. */
export function subAgentDefinition(definition: Definition, role: string): Definition {
  return { ...definition, workflow: subAgentWorkflow(role) };
}

function subAgentWorkflow(role: string): Workflow {
  return {
    name: `sub_agent_${role}`,
    description: `A sub-agent with the role ${role}.`,
    dialect: 'native',
    inputs: [{ name: 'prompt', type: 'string', description: 'What it is to do.', required: true }],
    output: null,
    data: {},
    contexts: [{ name: role, startingMessages: [], maxLength: 50_000 }],
    agents: [{ name: role, role, context: role, side: 'assistant' }],
    start: 'start',
    states: {
      start: {
        kind: 'work',
        name: 'start',
        enter: null,
        work: { kind: 'turn', agent: role, mode: 'ask', input: member('common_data', 'prompt') },
        transitions: [{ target: 'stop', when: null, assign: null }],
        on: {},
        timeoutMs: null,
        retry: null,
      },
      stop: { kind: 'end', name: 'stop', outcome: 'ok', output: member('this', 'last_agent_response') },
    },
    limits: DEFAULT_LIMITS,
  };
}

const member = (object: string, property: string): Expression => ({
  kind: 'member',
  object: { kind: 'name', name: object },
  property,
  optional: false,
});
