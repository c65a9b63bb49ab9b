import type { LoweringScope } from './lowering-scope.ts';
import type { JsonObject } from '../../core/model/json.ts';
import {
  type AgentSpec,
  type ContextSpec,
  DEFAULT_LIMITS,
  type Limits,
  type Parameter,
  type State,
  type Workflow,
} from '../../core/model/workflow.ts';
import type { Position } from '../../core/model/fault.ts';
import type { Message } from '../../core/model/message.ts';
import { defined } from '../../source/defined.ts';
import { nameHint } from '../../source/closest-name.ts';
import type { PlacedAgent } from '../../source/model-parts.ts';
import { lowerState } from './lower-state.ts';
import type { WorkflowParts } from './workflow-parts.ts';
import type { AgentDocument, ContextDocument, InputDocument } from './workflow-schema.ts';
import { lowerCode } from './lower-code.ts';

/** Agents and their conversations. */

const DEFAULT_MAX_LENGTH = 50_000;

function lowerContexts(parts: WorkflowParts, scope: LoweringScope): readonly ContextSpec[] {
  reportTwice(
    parts.contexts.map((context) => context?.name),
    (name, index) =>
      scope.report.error('CONTEXT_DUPLICATE', `Two contexts are named "${name}".`, {
        path: [...scope.base, 'contexts', index, 'name'],
      }),
  );
  return parts.contexts.flatMap((context) => (context === null ? [] : [lowerContext(context, parts.agents)]));
}

function lowerAgents(parts: WorkflowParts, scope: LoweringScope): readonly AgentSpec[] {
  reportTwice(
    parts.agents.map((agent) => agent?.agent_role),
    (name, index) =>
      scope.report.error('AGENT_DUPLICATE', `The agent_role "${name}" is given twice.`, {
        path: [...scope.base, 'agents', index, 'agent_role'],
        hint: 'States name an agent by its role, so a role can take part once. Give the second one its own role.',
      }),
  );
  return parts.agents.flatMap((agent, index) => (agent === null ? [] : [lowerAgent(agent, index, scope)]));
}

function lowerContext(context: ContextDocument, agents: WorkflowParts['agents']): ContextSpec {
  // Prepared assistant messages belong to the agent that has this side of the conversation.
  const speaker = agents.find((agent) => agent?.context === context.name && agent.role === 'assistant');
  return {
    name: context.name,
    startingMessages: (context.starting_messages ?? []).map(({ role, content }): Message => {
      const author = role === 'system' ? 'system' : ((role === 'assistant' ? speaker?.agent_role : null) ?? 'workflow');
      return { author, role, content };
    }),
    maxLength: context.max_length ?? DEFAULT_MAX_LENGTH,
  };
}

function lowerAgent(agent: AgentDocument, index: number, scope: LoweringScope): PlacedAgent {
  const path = [...scope.base, 'agents', index];
  if (agent.context !== '' && !scope.names.contexts.has(agent.context)) {
    scope.report.error('CONTEXT_UNKNOWN', `There is no context named "${agent.context}".`, {
      path: [...path, 'context'],
      hint: nameHint(agent.context, [...scope.names.contexts]),
    });
  }
  const model = agent.model === undefined ? null : lowerCode(agent.model, [...path, 'model'], scope);
  const at: Position | undefined = scope.report.origin.locate([...path, 'agent_role']);
  return {
    name: agent.agent_role,
    role: agent.agent_role,
    context: agent.context,
    side: agent.role,
    ...defined({ workspace: agent.workspace, holds: agent.holds, actor: agent.actor, model: model ?? undefined, at }),
  };
}

function reportTwice(names: readonly (string | undefined)[], tell: (name: string, index: number) => void): void {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (name === undefined) continue;
    if (seen.has(name)) tell(name, index);
    seen.add(name);
  }
}

/** Translates the document into the model. Continues after a problem; the result counts only without errors. */
export function lowerWorkflow(parts: WorkflowParts, place: Omit<LoweringScope, 'names' | 'trimmed'>): Workflow {
  const { header } = parts;
  const scope: LoweringScope = { ...place, names: parts.names, trimmed: parts.trimmed };
  const { output } = header;
  return {
    name: header.workflow_name ?? '',
    description: header.description ?? '',
    family: 'state-machine',
    inputs: lowerInputs(parts, scope),
    output: output === undefined ? null : { name: output.name, type: output.type },
    data: lowerData(parts, scope),
    contexts: lowerContexts(parts, scope),
    agents: lowerAgents(parts, scope),
    start: 'start',
    states: lowerStates(parts, scope),
    limits: lowerLimits(parts, scope),
    ...(header.on_failure === undefined ? {} : { onFailure: header.on_failure }),
    ...(header.internal === true ? { internal: true } : {}),
    file: scope.report.origin.file,
  };
}

/** One input as the founding document has it, or several. */
function lowerInputs({ header }: WorkflowParts, scope: LoweringScope): readonly Parameter[] {
  const { input, inputs } = header;
  if (input !== undefined && inputs !== undefined) {
    scope.report.error('INPUT_CONFLICT', 'A workflow has either "input" or "inputs", not both.', {
      path: [...scope.base, 'inputs'],
      part: 'key',
    });
  }
  return givenInputs(header).map(({ name, type, description = '', required = true }) => ({
    name,
    type,
    description,
    required,
  }));
}

const givenInputs = ({ input, inputs }: WorkflowParts['header']): readonly InputDocument[] =>
  inputs ?? (input === undefined ? [] : [input]);

/** A variable with the name of an input that must be given would hide what the run was started with. */
function lowerData({ header }: WorkflowParts, scope: LoweringScope): JsonObject {
  const data = { ...(header.variables as JsonObject | undefined) };
  for (const { name, required = true } of givenInputs(header)) {
    if (!required || !Object.hasOwn(data, name)) continue;
    delete data[name];
    scope.report.warning('VARIABLE_HIDDEN', `The variable "${name}" is also the input; the input is used.`, {
      path: [...scope.base, 'variables', name],
      part: 'key',
    });
  }
  return data;
}

function lowerLimits({ header }: WorkflowParts, scope: LoweringScope): Limits {
  const { limits } = header;
  return {
    iterations: lowerIterations(header.variables?.['max_iterations'], scope),
    toolRounds: limits?.tool_rounds ?? DEFAULT_LIMITS.toolRounds,
    ...(limits?.duration_s === undefined ? {} : { durationMs: Math.ceil(limits.duration_s * 1000) }),
    ...defined({ tokens: limits?.tokens, usd: limits?.usd }),
  };
}

function lowerIterations(given: unknown, scope: LoweringScope): number {
  if (given === undefined) return DEFAULT_LIMITS.iterations;
  if (typeof given === 'number' && Number.isSafeInteger(given) && given > 0) return given;
  scope.report.error(
    'LIMIT_INVALID',
    `"max_iterations" must be a whole number above 0; it is ${JSON.stringify(given)}.`,
    {
      path: [...scope.base, 'variables', 'max_iterations'],
      hint: 'It bounds how often any one state is entered; leave it out for 50.',
    },
  );
  return DEFAULT_LIMITS.iterations;
}

function lowerStates(parts: WorkflowParts, scope: LoweringScope): Readonly<Record<string, State>> {
  const states = new Map<string, State>();
  for (const [index, document] of (parts.states ?? []).entries()) {
    if (document === null) continue;
    const path = [...scope.base, 'states', index];
    if (states.has(document.name)) {
      scope.report.error('STATE_DUPLICATE', `Two states are named "${document.name}".`, { path: [...path, 'name'] });
    }
    states.set(document.name, lowerState(document, path, scope));
  }
  if (parts.states !== null && !parts.names.states.has('start')) {
    scope.report.error('START_MISSING', 'There is no state named "start".', {
      path: [...scope.base, 'states'],
      hint: 'The run begins in "start"; give one of the states that name.',
    });
  }
  // A file may go to "stop" without writing it down: it then ends with the workflow's output.
  if (!states.has('stop')) states.set('stop', { kind: 'end', name: 'stop', outcome: 'ok', output: null });
  return Object.fromEntries(states);
}
