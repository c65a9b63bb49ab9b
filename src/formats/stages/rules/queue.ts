import { type AgentMessage, MESSAGE_PRIORITIES } from './agent-message.ts';
import { getStageDefinition } from './find-stage.ts';
import type { WorkflowStage } from './workflow-definition.ts';
import { openStage, type Routed, type StageProgress } from './progress.ts';

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

/** Messages that wait for a stage, the most urgent first, then by arrival. */
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

/**
 * The messages for an agent besides the one that started its stage: the initial task, the newest output of each stage it reads (by
 * `inputFrom`, `inputTypes` or `given`; of all where neither is given), its own last output, and messages that waited for it. Work
 * revised since is left out.
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

/** Whether a later stage of the same agent read this output and handed in a new version: after a review, or as one. */
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

/** The stage that handed in each of these messages. */
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
