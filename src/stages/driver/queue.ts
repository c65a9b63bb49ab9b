import { MESSAGE_PRIORITIES, type AgentMessage } from '../agent-message.ts';
import { getStageDefinition } from '../find-stage.ts';
import type { WorkflowStage } from '../workflow-definition.ts';
import { openStage, type StageProgress, type Routed } from './progress.ts';

/** `state.pendingMessages` is what waits; `kept.routes` says for which stages. Taking a message out of the state unsends it. */
export function enqueue({ state, kept }: StageProgress, { stage, message }: Routed): void {
  const key = routeKey(message);
  const stages = kept.routes[key] ?? [];
  if (!state.pendingMessages.some((one) => routeKey(one) === key)) state.pendingMessages.push(message);
  if (!stages.includes(stage)) kept.routes[key] = [...stages, stage];
}

/** Waits for the next stage that its role plays. */
export function leaveWaiting({ state }: StageProgress, message: AgentMessage): void {
  state.pendingMessages.push(message);
}

/** What waits for a stage, the most urgent first, then in the order it came. */
export function queueOf({ state, kept }: StageProgress): readonly Routed[] {
  const urgency = ({ message }: Routed): number => MESSAGE_PRIORITIES.indexOf(message.priority);
  return state.pendingMessages
    .flatMap((message) => (kept.routes[routeKey(message)] ?? []).map((stage) => ({ stage, message })))
    .toSorted((left, right) => urgency(left) - urgency(right));
}

/** The next that may begin: a place is free, the stage is not under way, and what it reads is complete. */
export function nextReady(progress: StageProgress): Routed | undefined {
  const { workflow, kept } = progress;
  if (kept.open.length > 0 && workflow.definition.config.parallelAgents !== true) return undefined;
  return queueOf(progress).find(
    ({ stage }) => openStage(progress, stage) === undefined && missingInputs(progress, stage).length === 0,
  );
}

/** The stages whose output a stage still waits for. */
export function missingInputs(progress: StageProgress, name: string): readonly string[] {
  const { definition } = progress.workflow;
  const stage = getStageDefinition(definition, name);
  if (stage === undefined || isFirstEntry(progress, stage)) return [];
  return (stage.inputFrom ?? []).filter((input) => openStage(progress, input) !== undefined || !isMet(progress, input));
}

/** Takes what begins the stage out of the queue. A stage that joins others gets all that waits for it at once. */
export function takeFor(progress: StageProgress, { stage, message }: Routed): readonly AgentMessage[] {
  const inputFrom = getStageDefinition(progress.workflow.definition, stage)?.inputFrom ?? [];
  const joined = queueOf(progress).filter((one) => one.stage === stage && inputFrom.length > 1);
  const taken = [message, ...joined.map((one) => one.message).filter((one) => one !== message)];
  for (const one of taken) unqueue(progress, { stage, message: one });
  return taken;
}

/** Takes what waits for a role without a stage. */
export function takeWaiting({ state, kept }: StageProgress, role: string): readonly AgentMessage[] {
  const isTaken = (message: AgentMessage): boolean =>
    message.to === role && kept.routes[routeKey(message)] === undefined;
  const taken = state.pendingMessages.filter(isTaken);
  state.pendingMessages = state.pendingMessages.filter((message) => !isTaken(message));
  return taken;
}

function unqueue({ state, kept }: StageProgress, { stage, message }: Routed): void {
  const key = routeKey(message);
  const left = (kept.routes[key] ?? []).filter((one) => one !== stage);
  if (left.length > 0) {
    kept.routes[key] = left;
    return;
  }
  delete kept.routes[key];
  state.pendingMessages = state.pendingMessages.filter((one) => routeKey(one) !== key);
}

/** The entry stage begins with the goal, also where later it reads what others say of its work. */
function isFirstEntry({ workflow, state }: StageProgress, stage: WorkflowStage): boolean {
  return stage.name === workflow.definition.entryStage && (state.iterationCounts.get(stage.name) ?? 0) === 0;
}

/** Complete, or passed by: skipped, or failed and optional. */
function isMet({ workflow, state }: StageProgress, input: string): boolean {
  const isOptional = getStageDefinition(workflow.definition, input)?.optional === true;
  return state.stageHistory.some(
    ({ stageName, status }) =>
      stageName === input && (status === 'complete' || status === 'skipped' || (status === 'failed' && isOptional)),
  );
}

function routeKey({ id, to }: AgentMessage): string {
  return `${id} → ${to}`;
}
