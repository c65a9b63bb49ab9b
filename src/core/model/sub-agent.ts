import type { Expression } from './expression.ts';
import { listsTool } from './mcp-names.ts';
import { narrower, type Role } from './role.ts';
import type { Definition } from './definition.ts';
import { DEFAULT_LIMITS, type Workflow } from './workflow.ts';

/**
 * A sub-agent is a run like any other: one agent of a role with an order, whose last message is the result. One of the same role
 * is played by the actor of its starter.
 */
export function subAgentDefinition(definition: Definition, role: string, starter: Role): Definition {
  const base = role === starter.name ? starter : definition.roles[role];
  const own = base === undefined ? {} : { [role]: subAgentRole(base, starter) };
  return { ...definition, roles: { ...definition.roles, ...own }, workflow: subAgentWorkflow(role) };
}

/** The role as a sub-agent has it: never more than its starter in mode, network and tools (PH3). */
export function subAgentRole(role: Role, starter: Role): Role {
  if (role.name === starter.name) return starter;
  const { network, ask = [], ...rest } = role;
  return {
    ...rest,
    mode: narrower(role.mode, starter.mode),
    ...(network === true && starter.network === true ? { network } : {}),
    includedTools: inBoth(role.includedTools, starter.includedTools),
    excludedTools: [...new Set([...role.excludedTools, ...starter.excludedTools])],
    ask: [...new Set([...ask, ...(starter.ask ?? [])])],
  };
}

/** Null lists every tool. */
function inBoth(own: Role['includedTools'], others: Role['includedTools']): Role['includedTools'] {
  if (own === null || others === null) return own ?? others;
  return [...own.filter((tool) => listsTool(others, tool)), ...others.filter((tool) => listsTool(own, tool))].filter(
    (tool, at, all) => all.indexOf(tool) === at,
  );
}

/** The roles that a role may start. A role that may not write cannot start one that writes. */
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
    family: 'sub-agent',
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
