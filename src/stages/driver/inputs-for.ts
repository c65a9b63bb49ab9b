import type { AgentMessage } from '../agent-message.ts';
import { getStageDefinition } from '../find-stage.ts';
import type { WorkflowStage } from '../workflow-definition.ts';
import type { StageProgress } from './progress.ts';

/**
 * What an agent is given besides the message that made its stage run: the initial task, the newest output of each stage it
 * reads (by `inputFrom`, `inputTypes` or `given`; of all where neither is given), its own last output, and what waited for it. Work that
 * was revised since is left out.
 */
export function inputsFor(
  progress: StageProgress,
  stage: WorkflowStage,
  [message, ...beside]: readonly [AgentMessage, ...AgentMessage[]],
): readonly AgentMessage[] {
  const { messages = [] } = progress.state;
  const outputs = newestOutputs(progress);
  const read = outputs
    .filter((one, at) => isRead(stage, one) && !isReplaced(progress, one, outputs.slice(at + 1)))
    .map(({ output }) => output);
  const seen = new Set([message.id]);
  return [...messages.slice(0, 1), ...read, ...beside].filter(({ id }) => !seen.has(id) && seen.add(id));
}

function isRead({ name, inputFrom, inputTypes, given = [] }: WorkflowStage, { from, output }: Output): boolean {
  if (from === name || (inputFrom === undefined && inputTypes === undefined)) return true;
  return inputFrom?.includes(from) === true || [...given, ...(inputTypes ?? [])].includes(output.type);
}

interface Output {
  readonly from: string;
  readonly output: AgentMessage;
}

/** Whether a later stage of the same agent read this output and handed in the same anew: after a review, or as one. */
function isReplaced({ workflow: { definition } }: StageProgress, old: Output, later: readonly Output[]): boolean {
  const made = getStageDefinition(definition, old.from);
  return later.some(({ from }) => {
    const stage = getStageDefinition(definition, from);
    if (made === undefined || stage?.agent !== made.agent || stage.outputType !== made.outputType) return false;
    const revises = stage.outputType === 'review' || stage.inputTypes?.includes('review') === true;
    return revises && isRead(stage, old);
  });
}

/** In the order of the last time each stage ran. */
function newestOutputs({ state }: StageProgress): readonly Output[] {
  const byStage = new Map<string, AgentMessage>();
  for (const { stageName, outputMessageIds } of state.stageHistory) {
    const output = state.messages?.findLast(({ id }) => outputMessageIds.includes(id));
    if (output === undefined) continue;
    byStage.delete(stageName);
    byStage.set(stageName, output);
  }
  return [...byStage].map(([from, output]) => ({ from, output }));
}

/** Where each of these messages was handed in. */
export function originsOf(
  { state }: StageProgress,
  messages: readonly AgentMessage[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    messages.flatMap(({ id }) =>
      state.stageHistory
        .filter(({ outputMessageIds }) => outputMessageIds.includes(id))
        .map(({ stageName, iteration }) => [id, iteration > 1 ? `${stageName}, round ${iteration}` : stageName]),
    ),
  );
}
