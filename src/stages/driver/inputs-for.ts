import type { AgentMessage } from '../agent-message.ts';
import type { WorkflowStage } from '../workflow-definition.ts';
import type { Progress } from './progress.ts';

/**
 * What an agent is given besides the message that made its stage run: the initial task, the newest output of each stage it
 * reads (by `inputFrom` or by `inputTypes`; of all where neither is given), its own last output, and what waited for it.
 */
export function inputsFor(
  progress: Progress,
  stage: WorkflowStage,
  [message, ...beside]: readonly [AgentMessage, ...AgentMessage[]],
): readonly AgentMessage[] {
  const { messages = [] } = progress.state;
  const read = newestOutputs(progress)
    .filter(({ from, output }) => isRead(stage, from, output))
    .map(({ output }) => output);
  const seen = new Set([message.id]);
  return [...messages.slice(0, 1), ...read, ...beside].filter(({ id }) => !seen.has(id) && seen.add(id));
}

function isRead({ name, inputFrom, inputTypes }: WorkflowStage, from: string, output: AgentMessage): boolean {
  if (from === name || (inputFrom === undefined && inputTypes === undefined)) return true;
  return inputFrom?.includes(from) === true || inputTypes?.includes(output.type) === true;
}

function newestOutputs({ state }: Progress): readonly { readonly from: string; readonly output: AgentMessage }[] {
  const byStage = new Map<string, AgentMessage>();
  for (const { stageName, outputMessageIds } of state.stageHistory) {
    const output = state.messages?.findLast(({ id }) => outputMessageIds.includes(id));
    if (output !== undefined) byStage.set(stageName, output);
  }
  return [...byStage].map(([from, output]) => ({ from, output }));
}
