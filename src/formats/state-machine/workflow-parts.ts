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

/** A workflow file taken apart. A part of which its schema refused all is null; its name is known all the same. */
export interface WorkflowParts {
  readonly header: Partial<WorkflowDocument>;
  readonly contexts: readonly (ContextDocument | null)[];
  readonly agents: readonly (AgentDocument | null)[];
  /** null when there is no list of states at all. */
  readonly states: readonly (StateDocument | null)[] | null;
  readonly names: Names;
  /** The parts that something was taken away from: what they seem to lack may be told already. */
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

/** What can be used of a document that has mistakes in it. */
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

/** Of an agent that lacks what it needs the role is known all the same. No context has an empty name: it is not looked for. */
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
