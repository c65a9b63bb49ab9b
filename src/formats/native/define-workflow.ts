import type { Json } from '../../core/model/json.ts';
import type { Message } from '../../core/model/message.ts';
import type { StandardSchema } from '../../core/model/standard-schema.ts';
import { validateWorkflow } from '../../core/check/validate.ts';
import {
  type AgentSpec,
  type ContextSpec,
  DEFAULT_LIMITS,
  type Parameter,
  type Workflow,
} from '../../core/model/workflow.ts';
import { checked, refusedSource, valueOrFault } from '../../source/checked.ts';
import { defined } from '../../source/defined.ts';
import { markWorkflow } from '../../source/workflow-module.ts';
import { codeReader, type CodeReader, placesFrom } from './code-reader.ts';
import type {
  AgentSpecification,
  ContextSpecification,
  InputOf,
  InputSpec,
  LooseSpec,
  NoKeys,
  OutputOf,
  PlainOutput,
  StateSpec,
  TypedWorkflow,
  WorkflowSpec,
} from './workflow-spec.ts';
import { type LoweredSchemas, lowerSchemas } from './lower-schemas.ts';
import { lowerStateSpec } from './lower-state-spec.ts';
import { workflowShape } from './workflow-shape.ts';

/**
 * A workflow written in TypeScript (U3). Gives back the same model the files become; throws WORKFLOW_INVALID with every
 * problem. A module whose exports hold such workflows can be run like a file.
 */
export function defineWorkflow<
  State extends string,
  Agent extends string = never,
  Context extends string = never,
  Input extends StandardSchema | undefined = undefined,
  Data extends StandardSchema | Readonly<Record<string, Json>> = NoKeys,
  Output extends StandardSchema | PlainOutput = PlainOutput,
>(spec: WorkflowSpec<State, Agent, Context, Input, Data, Output>): TypedWorkflow<InputOf<Input>, OutputOf<Output>> {
  const places = placesFrom(defineWorkflow);
  const found = workflowShape(spec);
  // With an extra key the workflow can still be read, so that all problems are reported at once; other errors cannot be trusted.
  if (found.some(({ code }) => code !== 'KEY_UNKNOWN')) return valueOrFault(refusedSource(found), 'WORKFLOW_INVALID');
  const reader = codeReader(places);
  // The names and types have been checked by the compiler; from here they are texts.
  const loose = spec as unknown as LooseSpec;
  const schemas = lowerSchemas(loose);
  const workflow = lower(loose, schemas, reader);
  const problems = [...found, ...schemas.problems, ...reader.problems, ...validateWorkflow(workflow)];
  const whole = valueOrFault(checked(workflow, problems), 'WORKFLOW_INVALID');
  return markWorkflow(whole, reader.called, schemas.given);
}

const DEFAULT_MAX_LENGTH = 50_000;

function lower(spec: LooseSpec, { inputs, output, data }: LoweredSchemas, reader: CodeReader): Workflow {
  const agents = Object.entries(spec.agents ?? {}).map(([name, agent]) => lowerAgent(name, agent, reader));
  return {
    name: spec.name,
    description: spec.description ?? '',
    family: 'native',
    inputs: inputs ?? Object.entries(spec.inputs ?? {}).map(([name, input]) => lowerInput(name, input)),
    output,
    data,
    contexts: lowerContexts(spec.contexts ?? {}, agents),
    agents,
    start: spec.start ?? 'start',
    states: lowerStates(spec.states, reader),
    limits: { ...DEFAULT_LIMITS, ...spec.limits },
    ...(spec.labels === undefined ? {} : { labels: spec.labels }),
    ...(spec.onFailure === undefined ? {} : { onFailure: spec.onFailure }),
  };
}

function lowerStates(states: Readonly<Record<string, StateSpec<string, string, never>>>, reader: CodeReader) {
  return Object.fromEntries(
    Object.entries(states).map(([name, state]) => [name, lowerStateSpec(name, state, reader)] as const),
  );
}

function lowerInput(name: string, input: Parameter['type'] | InputSpec): Parameter {
  const { type, description = '', required = true } = typeof input === 'string' ? { type: input } : input;
  return { name, type, description, required };
}

function lowerAgent(name: string, agent: AgentSpecification<string, never>, reader: CodeReader): AgentSpec {
  const model = reader.optional(agent.model, `agents.${name}.model`);
  const { role = name, context = name, side = 'assistant', workspace, holds, actor } = agent;
  return { name, role, context, side, ...defined({ workspace, holds, actor, model: model ?? undefined }) };
}

/** The written contexts, and one for each agent with its own conversation. */
function lowerContexts(
  written: Readonly<Record<string, ContextSpecification>>,
  agents: readonly AgentSpec[],
): readonly ContextSpec[] {
  const own = agents.filter((agent) => agent.context === agent.name && !Object.hasOwn(written, agent.name));
  const all = [...Object.entries(written), ...own.map((agent) => [agent.name, {}] as const)];
  return all.map(([name, context]: readonly [string, ContextSpecification]) => ({
    name,
    startingMessages: (context.startingMessages ?? []).map((message) => startingMessage(name, message, agents)),
    maxLength: context.maxLength ?? DEFAULT_MAX_LENGTH,
  }));
}

/** Prepared assistant messages belong to the agent that has this side of the conversation. */
function startingMessage(
  context: string,
  { role, content }: NonNullable<ContextSpecification['startingMessages']>[number],
  agents: readonly AgentSpec[],
): Message {
  const speaker = agents.find((agent) => agent.context === context && agent.side === 'assistant');
  const author = role === 'assistant' ? (speaker?.name ?? 'workflow') : role === 'system' ? 'system' : 'workflow';
  return { author, role, content };
}
