import type { BusSent, ProgressNoted } from '../../../core/record/artifact-fact.ts';
import type { Noted } from '../../../core/record/files-fact.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import type { Definition } from '../../../core/model/definition.ts';
import type { Task } from '../../../core/fold/snapshot.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import type { Tool, ToolResult, ToolServices } from '../../../tools/port.ts';
import { SUBMIT_OUTPUT } from '../../../tools/engine-tools.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { outputService } from '../outputs/hand-output.ts';
import type { EffectContext } from '../../world.ts';
import { ORCHESTRATOR } from '../outputs/step-messages.ts';
import type { Speaker } from '../turn/who-speaks.ts';
import { familyOf } from '../../../formats/families.ts';

/** A call of one of the turn's own tools. */
export interface TurnUse {
  readonly speaker: Speaker;
  readonly tool: Tool;
  readonly input: Json;
  /** Names the call within its task. */
  readonly id: string;
}

/** One call. It has exclusive access to the agent's workspace: in `held`, if that is already reserved for the agent. */
export async function runTurnTool(
  effectContext: EffectContext,
  use: TurnUse,
  held: Workspace | null = null,
): Promise<ToolResult> {
  await effectContext.begin();
  const isTalk = use.tool.spec.name !== SUBMIT_OUTPUT;
  const { result, facts } =
    isTalk || held !== null ? await used(effectContext, use, held) : await alone(effectContext, use);
  for (const fact of facts) effectContext.note(fact);
  return result;
}

interface Used {
  readonly result: ToolResult;
  /** Recorded after the changes. */
  readonly facts: readonly Noted[];
}

async function alone(effectContext: EffectContext, use: TurnUse): Promise<Used> {
  const { snapshot, places } = effectContext;
  const { agent, task } = use.speaker;
  const request = { name: workspaceOf(snapshot, agent), from: snapshot.workspace, task: task.id, toolCall: use.id };
  return await places.write(effectContext, request, async (writing) => {
    const one = await used(effectContext, use, writing.workspace);
    if (!one.result.isError) writing.touched(one.result.changed ?? []);
    return one;
  });
}

async function used(effectContext: EffectContext, use: TurnUse, place: Workspace | null): Promise<Used> {
  const { tool, input } = use;
  const facts: Noted[] = [];
  const context = {
    folder: place?.folder ?? '',
    signal: effectContext.signal,
    services: servicesFor(effectContext, use, { place, note: (fact) => void facts.push(fact) }),
  };
  const result = await tool.run(isJsonObject(input) ? input : {}, context);
  return { result, facts };
}

interface Around {
  readonly place: Workspace | null;
  readonly note: (fact: Noted) => void;
}

function servicesFor(effectContext: EffectContext, use: TurnUse, { place, note }: Around): ToolServices {
  const { task, work } = use.speaker;
  const progress = (amount: number, message: string): void =>
    progressFacts(effectContext, use, { progress: amount, message }).forEach(note);
  const shared: ToolServices = { progress: { note: progress } };
  if (place === null) return shared;
  const outputs = outputService({
    context: effectContext,
    task: task.id,
    outputs: work.outputs ?? [],
    workspace: place,
    note,
  });
  return { ...shared, outputs };
}

/** The agent's own report, and the same as a message on the bus. */
function progressFacts(
  { run, definition }: EffectContext,
  { speaker, id }: TurnUse,
  said: Pick<ProgressNoted, 'progress' | 'message'>,
): readonly [ProgressNoted, BusSent] {
  const { task, agent } = speaker;
  const message = {
    id: `${run}/${task.id}/${id}`,
    type: 'status',
    sender: agent.name,
    receiver: ORCHESTRATOR,
    payload: { status: 'in_progress', ...said },
    correlationId: `${run}/${topicOf(definition, task)}`,
  };
  return [
    { kind: 'progress.noted', task: task.id, agent: agent.name, ...said },
    { kind: 'bus.sent', task: task.id, message },
  ];
}

const topicOf = ({ workflow }: Definition, { state }: Task): string => familyOf(workflow).topicOf?.(workflow) ?? state;
