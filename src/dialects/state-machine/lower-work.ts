import type { Expression } from '../../core/expression.ts';
import type { CallWork, TurnWork, Work } from '../../core/workflow.ts';
import { nameHint } from '../source/closest-name.ts';
import type { SourcePath } from '../source/source-path.ts';
import { lowerExpression } from './lower-code.ts';
import type { Scope } from './lower-workflow.ts';
import type { ActionDocument, StateDocument } from './workflow-schema.ts';

/** What a state does after its script: an agent's turn, several turns at once, a sub-workflow, or nothing. */
export function lowerWork(state: StateDocument, path: SourcePath, scope: Scope): Work {
  const action = state.action ?? {};
  checkAction(state, path, scope);
  if (action.sub_workflow !== undefined) return lowerCall(action.sub_workflow, action, { path, scope });
  if (action.function === 'script') return { kind: 'none' };
  if (state.agents !== undefined) return lowerSeveral(state, path, scope);
  if (state.agent === undefined) return { kind: 'none' };
  checkAgent(state.agent, [...path, 'agent'], scope);
  return turn(state.agent, action.function, lowerInput(state, path, scope));
}

type Mode = TurnWork['mode'];

const MODES: Readonly<Record<string, Mode>> = {
  sendUserMessage: 'ask',
  addUserMessage: 'tell',
  clearConversation: 'clear',
};

function turn(agent: string, name: string | undefined, input: Expression | null): TurnWork {
  return { kind: 'turn', agent, mode: MODES[name ?? 'sendUserMessage'] ?? 'ask', input };
}

function lowerSeveral(state: StateDocument, path: SourcePath, scope: Scope): Work {
  const agents = state.agents ?? [];
  for (const [index, agent] of agents.entries()) {
    checkAgent(agent, [...path, 'agents', index], scope);
    if (agents.indexOf(agent) !== index) {
      scope.report.error('AGENT_DUPLICATE', `The agent "${agent}" is named twice.`, {
        path: [...path, 'agents', index],
      });
    }
  }
  const input = lowerInput(state, path, scope);
  const list = agents.map((agent) => ({ id: agent, after: [], work: turn(agent, state.action?.function, input) }));
  return { kind: 'pool', units: { kind: 'fixed', list }, slots: agents.length, join: { rule: 'all' }, grow: null };
}

function lowerCall(
  workflow: string,
  action: ActionDocument,
  { path, scope }: { readonly path: SourcePath; readonly scope: Scope },
): CallWork {
  const input = Object.entries(action.sub_workflow_input ?? {}).flatMap(([name, text]) => {
    const expression = lowerExpression(text, [...path, 'action', 'sub_workflow_input', name], scope);
    return expression === null ? [] : [[name, expression] as const];
  });
  return { kind: 'call', workflow, input: Object.fromEntries(input) };
}

function lowerInput(state: StateDocument, path: SourcePath, scope: Scope): Expression | null {
  return state.input === undefined ? null : lowerExpression(state.input, [...path, 'input'], scope);
}

function checkAgent(agent: string, path: SourcePath, scope: Scope): void {
  if (scope.names.agents.has(agent)) return;
  scope.report.error('AGENT_UNKNOWN', `There is no agent with the agent_role "${agent}".`, {
    path,
    hint: nameHint(agent, [...scope.names.agents]),
  });
}

interface Rule {
  readonly code: string;
  /** The key that is out of place. */
  readonly key: readonly string[];
  readonly message: string;
  readonly severity?: 'warning';
  readonly holds: (state: StateDocument, action: ActionDocument) => boolean;
}

const speaks = (state: StateDocument): boolean => state.agent !== undefined || state.agents !== undefined;

/** Combinations of keys that each are fine but together would do nothing, or not what they seem to say. */
const RULES: readonly Rule[] = [
  {
    code: 'ACTION_CONFLICT',
    key: ['agents'],
    message: 'A state has either "agent" or "agents", not both.',
    holds: (state) => state.agent !== undefined && state.agents !== undefined,
  },
  {
    code: 'ACTION_CONFLICT',
    key: ['action', 'sub_workflow'],
    message: 'A state runs either an agent or a sub-workflow, not both.',
    holds: (state, action) => action.sub_workflow !== undefined && (speaks(state) || action.function !== undefined),
  },
  {
    code: 'SUB_WORKFLOW_MISSING',
    key: ['action', 'sub_workflow_input'],
    message: '"sub_workflow_input" needs a "sub_workflow" to go to.',
    holds: (_, action) => action.sub_workflow_input !== undefined && action.sub_workflow === undefined,
  },
  {
    code: 'SCRIPT_MISSING',
    key: ['action', 'function'],
    message: 'The function "script" needs a "script".',
    holds: (_, action) => action.function === 'script' && action.script === undefined,
  },
  {
    code: 'AGENT_MISSING',
    key: ['action', 'function'],
    message: 'A function needs an "agent" that it is called on.',
    holds: (state, action) =>
      action.function !== undefined &&
      action.function !== 'script' &&
      action.sub_workflow === undefined &&
      !speaks(state),
  },
  {
    code: 'INPUT_MISSING',
    key: ['action', 'function'],
    message: '"addUserMessage" needs an "input": what the agent is told.',
    holds: (state, action) => action.function === 'addUserMessage' && state.input === undefined,
  },
  {
    code: 'ACTION_CONFLICT',
    key: ['action', 'function'],
    message: 'Several agents at once can only be asked, with "sendUserMessage".',
    holds: (state, action) =>
      state.agents !== undefined && (action.function === 'addUserMessage' || action.function === 'clearConversation'),
  },
  {
    code: 'INPUT_UNUSED',
    key: ['input'],
    message: 'No agent reads the "input" of this state.',
    severity: 'warning',
    holds: (state, action) =>
      state.input !== undefined &&
      (!speaks(state) || action.function === 'script' || action.function === 'clearConversation'),
  },
];

function checkAction(state: StateDocument, path: SourcePath, scope: Scope): void {
  for (const rule of RULES) {
    if (!rule.holds(state, state.action ?? {})) continue;
    const where = { path: [...path, ...rule.key], part: 'key' } as const;
    if (rule.severity === 'warning') scope.report.warning(rule.code, rule.message, where);
    else scope.report.error(rule.code, rule.message, where);
  }
}
