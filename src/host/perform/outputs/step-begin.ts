import type { HandoffMade } from '../../../core/record/artifact-fact.ts';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import { checkNeeds } from './check-needs.ts';
import { toolsFor } from '../../../tools/tools-for.ts';
import type { EffectContext } from '../../world.ts';
import type { EngineProgram } from '../../world.ts';
import { inPlace } from '../commands/in-place.ts';
import { inputsText } from './inputs-text.ts';
import type { KnownArtifacts } from './known-artifacts.ts';
import { ORCHESTRATOR, StepMessages } from './step-messages.ts';
import { programInput } from '../commands/program-input.ts';
import { beginSchema, type BeginInput, type NeededArtifact } from './step-input.ts';

/**
 * `step.begin`: checks that everything a phase depends on exists in the right version, records who hands over to whom and
 * the agent's order, and returns what the workspace holds before the agent begins.
 */
export const stepBegin: EngineProgram = async (context, effect) => {
  const input = programInput(beginSchema, effect);
  return await inPlace(context, effect, async (held) => {
    const { failure, dropped, known } = await checkNeeds(context, input.needs, held);
    if (failure !== null) return { output: null, failure };
    const inputs = withoutDropped(input.inputs, dropped);
    const text = await inputsText(held.workspace.folder, inputs);
    const messages = new StepMessages(context, effect);
    const { phase, agent } = input;
    const artifacts = input.needs.flatMap((need) => need.artifacts).filter(({ path }) => !dropped.has(path));
    const handoffs = handoffsOf(input, { artifacts, known, messages });
    const command = messages.bus({
      type: 'command',
      sender: ORCHESTRATOR,
      receiver: agent,
      payload: { action: phase, input: inputs },
      correlationId: messages.correlationId(phase),
    });
    const writes = mayWrite(context, agent);
    return { output: { since: held.tree, inputs, text, writes }, facts: [...handoffs, command] };
  });
};

/** Whether the agent has a tool that writes files: otherwise the order must not ask for that. */
function mayWrite({ definition, world }: EffectContext, name: string): boolean {
  const agent = definition.workflow.agents.find((one) => one.name === name);
  const role = agent === undefined ? undefined : definition.roles[agent.role];
  return role === undefined || toolsFor(role, world.tools).tools.some(({ access }) => access === 'write');
}

function withoutDropped(inputs: JsonObject, dropped: ReadonlySet<string>): JsonObject {
  if (dropped.size === 0) return inputs;
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, kept(value, dropped)]));
}

/** Only from lists: a single missing path is a failure. */
function kept(value: Json, dropped: ReadonlySet<string>): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return withoutDropped(value as JsonObject, dropped);
  return value
    .filter((one: Json) => typeof one !== 'string' || !dropped.has(one))
    .map((one: Json) => kept(one, dropped));
}

interface HandedOver {
  readonly artifacts: readonly NeededArtifact[];
  readonly known: KnownArtifacts;
  readonly messages: StepMessages;
}

function handoffsOf(
  { phase, agent, handoff }: BeginInput,
  { artifacts, known, messages }: HandedOver,
): readonly HandoffMade[] {
  if (handoff === null) return [];
  const { context, instructions, successCriteria } = handoff;
  const givers = [...new Set(handoff.from)];
  return givers.map((from) => {
    // If no record names the maker, they come from the only agent that can have made them.
    const own = artifacts.filter(
      ({ id }) => (known.byId(id)?.producer ?? (givers.length === 1 ? from : null)) === from,
    );
    return messages.handoff({
      from,
      to: agent,
      artifacts: own.map(({ path }) => path),
      ids: own.map(({ id }) => id),
      context,
      instructions,
      successCriteria,
      correlationId: messages.correlationId(phase),
    });
  });
}
