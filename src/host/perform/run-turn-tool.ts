import type { BusSent, ProgressNoted } from '../../core/artifact-fact.ts';
import type { Noted } from '../../core/files-fact.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import { workspaceOf } from '../../core/workspace-name.ts';
import type { Tool, ToolResult, ToolServices } from '../../tools/port.ts';
import { REPORT_PROGRESS } from '../../tools/report-progress.ts';
import type { Workspace } from '../../workspace/port.ts';
import { outputService } from './hand-output.ts';
import type { Performance } from './performance.ts';
import { ORCHESTRATOR } from './programs/phase-messages.ts';
import type { Speaker } from './who-speaks.ts';

/** A call of one of the turn's own tools. */
export interface TurnUse {
  readonly speaker: Speaker;
  readonly tool: Tool;
  readonly input: Json;
  /** Names the call within its task. */
  readonly id: string;
}

/** One call, alone in the agent's workspace where it writes. What came of it is noted. */
export async function runTurnTool(performance: Performance, use: TurnUse): Promise<ToolResult> {
  const { speaker, tool, id } = use;
  const { snapshot } = performance;
  performance.begin();
  if (tool.spec.name === REPORT_PROGRESS) return noted(performance, await useTurnTool(performance, use, null));
  const wanted = {
    name: workspaceOf(snapshot, speaker.agent),
    from: snapshot.workspace,
    task: speaker.task.id,
    toolCall: id,
  };
  const used = await performance.places.write(performance, wanted, async (writing) => {
    const one = await useTurnTool(performance, use, writing.workspace);
    if (!one.result.isError) writing.touched(one.result.changed ?? []);
    return one;
  });
  return noted(performance, used);
}

function noted({ note }: Performance, { result, facts }: Used): ToolResult {
  for (const fact of facts) note(fact);
  return result;
}

export interface Used {
  readonly result: ToolResult;
  /** What is to be written down, after what was changed. */
  readonly facts: readonly Noted[];
}

/** The same for whoever has the workspace already. */
export async function useTurnTool(performance: Performance, use: TurnUse, place: Workspace | null): Promise<Used> {
  const { tool, input } = use;
  const facts: Noted[] = [];
  const context = {
    folder: place?.folder ?? '',
    signal: performance.signal,
    services: servicesFor(performance, use, { place, note: (fact) => void facts.push(fact) }),
  };
  const result = await tool.run(isJsonObject(input) ? input : {}, context);
  return { result, facts };
}

interface Around {
  readonly place: Workspace | null;
  readonly note: (fact: Noted) => void;
}

function servicesFor(performance: Performance, use: TurnUse, { place, note }: Around): ToolServices {
  const { task, work } = use.speaker;
  const progress = (amount: number, message: string): void =>
    progressFacts(performance, use, { progress: amount, message }).forEach(note);
  const shared: ToolServices = { progress: { note: progress } };
  if (place === null) return shared;
  const outputs = outputService({ performance, task: task.id, outputs: work.outputs ?? [], workspace: place, note });
  return { ...shared, outputs };
}

/** Its own word, and the same as a message to whoever watches over the phases. */
function progressFacts(
  { run, definition }: Performance,
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
    correlationId: `${run}/${phaseOf(definition.workflow.name)}`,
  };
  return [
    { kind: 'progress.noted', task: task.id, agent: agent.name, ...said },
    { kind: 'bus.sent', task: task.id, message },
  ];
}

/** The workflow of a phase is called after the file and the phase. */
const phaseOf = (workflow: string): string => workflow.slice(workflow.lastIndexOf('/') + 1);
