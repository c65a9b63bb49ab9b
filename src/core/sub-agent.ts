import type { Expression } from './expression.ts';
import { narrower, type Definition, type Role } from './role.ts';
import { DEFAULT_LIMITS, type Workflow } from './workflow.ts';

/**
 * A sub-agent is a run like any other: one agent of a role, told what to do, whose last words are the result. One of the same role
 * is played by whoever plays that which starts it; no other may do more than that one (PH3).
 */
export function subAgentDefinition(definition: Definition, role: string, starter: Role): Definition {
  const base = role === starter.name ? starter : definition.roles[role];
  const own = base === undefined ? {} : { [role]: { ...base, mode: narrower(base.mode, starter.mode) } };
  return { ...definition, roles: { ...definition.roles, ...own }, workflow: subAgentWorkflow(role) };
}

/** Whom a role may start. Whoever may not write has no use for one that is there to write. */
export function subAgentsOf(role: Role, roles: Definition['roles']): readonly string[] {
  return (role.tasks ?? [role.name]).filter((name) => {
    const mode = name === role.name ? role.mode : roles[name]?.mode;
    return Object.hasOwn(roles, name) && ((mode ?? 'write') !== 'write' || (role.mode ?? 'write') === 'write');
  });
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
