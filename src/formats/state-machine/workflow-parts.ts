import type { ZodMiniType } from 'zod/mini';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { trim } from '../../source/trim.ts';
import {
  agentSchema,
  contextSchema,
  stateSchema,
  stateMachineSchema,
  type AgentDocument,
  type ContextDocument,
  type StateDocument,
  type WorkflowDocument,
} from './workflow-schema.ts';

/** A workflow file in parts. A part that its schema refused completely is null, but its name is known. */
export interface WorkflowParts {
  readonly header: Partial<WorkflowDocument>;
  readonly contexts: readonly (ContextDocument | null)[];
  readonly agents: readonly (AgentDocument | null)[];
  /** null when there is no list of states at all. */
  readonly states: readonly (StateDocument | null)[] | null;
  readonly names: Names;
  /** Parts without some of their content: what they seem to lack may be reported already. */
  readonly trimmed: ReadonlySet<object>;
}

export interface Names {
  readonly contexts: ReadonlySet<string>;
  readonly agents: ReadonlySet<string>;
  readonly states: ReadonlySet<string>;
}

export function wholeParts(document: WorkflowDocument): WorkflowParts {
  const { contexts = [], agents = [], states } = document;
  return {
    header: document,
    contexts,
    agents,
    states,
    names: {
      contexts: new Set(contexts.map((context) => context.name)),
      agents: new Set(agents.map((agent) => agent.agent_role)),
      states: new Set(states.map((state) => state.name)),
    },
    trimmed: new Set(),
  };
}

/** The usable parts of a document with mistakes. */
export function salvagedParts(document: Json): WorkflowParts {
  const fields = isJsonObject(document) ? document : {};
  const { contexts, agents, states, ...rest } = fields;
  const header = Object.entries(rest).filter(([key, value]) => acceptsField(key, value));
  const trimmed = new Set<object>();
  return {
    header: Object.fromEntries(header),
    contexts: listOf(contexts).map((value) => accepted(contextSchema, value, trimmed)),
    agents: listOf(agents).map((value) => accepted(agentSchema, value, trimmed) ?? namedAgent(value)),
    states: Array.isArray(states) ? listOf(states).map((value) => accepted(stateSchema, value, trimmed)) : null,
    names: {
      contexts: namesIn(contexts, 'name'),
      agents: namesIn(agents, 'agent_role'),
      states: namesIn(states, 'name'),
    },
    trimmed,
  };
}

function acceptsField(key: string, value: Json): boolean {
  const shape: Readonly<Record<string, ZodMiniType>> = stateMachineSchema.shape;
  return Object.hasOwn(shape, key) && shape[key]?.safeParse(value).success === true;
}

function accepted<T extends object>(schema: ZodMiniType<T>, value: Json, trimmed: Set<object>): T | null {
  const rest = trim(schema, value);
  if (rest?.isWhole === false) trimmed.add(rest.value);
  return rest?.value ?? null;
}

/** Keeps the role of an incomplete agent. No context has an empty name, so it is not looked up. */
function namedAgent(value: Json): AgentDocument | null {
  const [name] = namesIn([value], 'agent_role');
  return name === undefined || name === '' ? null : { agent_role: name, context: '', role: 'assistant' };
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

function namesIn(value: Json | undefined, key: string): ReadonlySet<string> {
  const names = listOf(value).flatMap((entry) => {
    const name = isJsonObject(entry) ? entry[key] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
  return new Set(names);
}
