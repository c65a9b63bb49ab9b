import { isJsonObject } from '../../../core/model/json.ts';
import { type AgentMessage, generateMessageId, MESSAGE_PRIORITIES, timestamp } from './agent-message.ts';
import { getStageDefinition } from './find-stage.ts';
import type { RoutingDecision } from './stage-workflow.ts';
import type { WorkflowStage } from './workflow-definition.ts';
import { callFunction, isRoleKnown, note, ownCodeFailed, type Routed, type StageProgress } from './progress.ts';

/** Completes a message: authors may omit fields. Undefined if it is no message. */
export function completeMessage(given: unknown, like?: Partial<AgentMessage>): AgentMessage | undefined {
  if (!isJsonObject(given)) return undefined;
  const message = given as unknown as Partial<AgentMessage>;
  const priority = MESSAGE_PRIORITIES.find((one) => one === message.priority) ?? 'normal';
  return {
    ...message,
    id: textOr(message.id, () => generateMessageId()),
    timestamp: textOr(message.timestamp, () => timestamp()),
    from: textOr(message.from, () => like?.from ?? 'orchestrator'),
    to: textOr(message.to, () => like?.to ?? 'orchestrator'),
    type: message.type ?? like?.type ?? 'task',
    priority,
    content: completeContent(message.content),
  };
}

function completeContent(content: Partial<AgentMessage['content']> | undefined): AgentMessage['content'] {
  return { ...content, subject: content?.subject ?? '', body: content?.body ?? '', metadata: { ...content?.metadata } };
}

function textOr(value: string | undefined, other: () => string): string {
  return typeof value === 'string' && value !== '' ? value : other();
}

/** A transition to here ends the workflow, unless a stage bears the name. */
export const COMPLETE = 'complete';

export interface Targets {
  /** The stages to begin, each with what it gets. */
  readonly routed: readonly Routed[];
  /** Messages for a role without a stage to begin: they wait for the next stage that the role plays. */
  readonly waiting: readonly AgentMessage[];
  readonly isEnd: boolean;
}

/** The targets of the workflow's routing of one message. Unknown roles and stages are noted and dropped. */
export function targetsOf(progress: StageProgress, decision: RoutingDecision, { stage, message }: Routed): Targets {
  const mail = readMail(progress, decision, { stage, message });
  const { stageTransition: transition } = decision;
  if (transition === undefined) return targetsByMail(progress, mail, stage);
  if (transition.from !== stage) {
    const text = `The transition to ${transition.to} says that it leaves ${transition.from}; the message came from ${stage}.`;
    note(progress, { stage, code: 'STAGE_MISMATCH', message: text, recoverable: true });
  }
  const target = getStageDefinition(progress.workflow.definition, transition.to);
  if (target === undefined) {
    if (transition.to === COMPLETE) return { routed: [], waiting: others(mail, undefined), isEnd: true };
    noteUnknownStage(progress, stage, transition.to);
    return { routed: [], waiting: [], isEnd: false };
  }
  const own = mail.find(({ to }) => to === target.agent) ?? { ...message, to: target.agent };
  const beside = sideTargets(progress, others(mail, own), stage);
  return { routed: [{ stage: target.name, message: own }, ...beside.routed], waiting: beside.waiting, isEnd: false };
}

export function noteUnknownStage(progress: StageProgress, stage: string, to: string): void {
  const names = progress.workflow.definition.stages.map(({ name }) => name).join(', ');
  const message = `${progress.workflow.definition.name} has no stage "${to}"; it has ${names}.`;
  note(progress, { stage, code: 'UNKNOWN_STAGE', message, recoverable: false });
}

function readMail(progress: StageProgress, decision: RoutingDecision, { stage, message }: Routed): AgentMessage[] {
  if (!isJsonObject(decision) || !Array.isArray(decision.messages)) {
    throw ownCodeFailed(progress.workflow, 'routeMessage returned no decision with a list of messages');
  }
  return decision.messages.flatMap((entry) => {
    const complete = completeMessage(entry?.message, message);
    if (complete === undefined)
      throw ownCodeFailed(progress.workflow, 'routeMessage returned an entry without a message');
    const to = entry.to ?? complete.to;
    if (isRoleKnown(progress, to)) return [{ ...complete, to }];
    const text = `${message.from} wrote to "${to}", which is not a role of ${progress.workflow.definition.name}.`;
    note(progress, { stage, agent: message.from, code: 'UNKNOWN_ROLE', message: text, recoverable: false });
    return [];
  });
}

function others(mail: readonly AgentMessage[], own: AgentMessage | undefined): AgentMessage[] {
  return mail.filter((one) => one !== own && one.to !== 'orchestrator');
}

/** Besides a transition, a message begins a stage only if the definition says so and stages may run in parallel. */
function sideTargets(progress: StageProgress, mail: readonly AgentMessage[], from: string): Targets {
  const { config } = progress.workflow.definition;
  const split = mail.map((message) => ({
    message,
    stages: config.parallelAgents === true ? declaredTargets(progress, message, from) : [],
  }));
  return splitTargets(split);
}

/** Without a transition the definition decides which stage of the role is meant. */
function targetsByMail(progress: StageProgress, mail: readonly AgentMessage[], from: string): Targets {
  return splitTargets(mail.map((message) => ({ message, stages: stagesMeant(progress, message, from) })));
}

function splitTargets(
  split: readonly { readonly message: AgentMessage; readonly stages: readonly string[] }[],
): Targets {
  return {
    routed: split.flatMap(({ message, stages }) => stages.map((stage) => ({ stage, message }))),
    waiting: split
      .filter(({ message, stages }) => stages.length === 0 && message.to !== 'orchestrator')
      .map(({ message }) => message),
    isEnd: false,
  };
}

/**
 * The stages of the addressed role that a message begins: those the sender's `outputTo` names, else those that it triggers
 * again, else those that read the sender, else the one that the workflow names as next.
 */
function stagesMeant(progress: StageProgress, message: AgentMessage, from: string): readonly string[] {
  if (isForEngine(message)) return [];
  const { definition } = progress.workflow;
  const ofRole = definition.stages.filter((stage) => stage.agent === message.to);
  const named = (fits: (stage: WorkflowStage) => boolean): string[] => ofRole.filter(fits).map(({ name }) => name);
  const groups = [
    declaredTargets(progress, message, from),
    named(({ name, iterationTrigger }) => iterationTrigger === message.type && hasRun(progress, name)),
    named(({ inputFrom }) => inputFrom?.includes(from) === true),
  ];
  const meant = groups.find((group) => group.length > 0);
  if (meant !== undefined) return meant;
  const next = callFunction(progress, 'getNextStage', (workflow) => workflow.getNextStage(progress.state));
  return ofRole.some(({ name }) => name === next) && next !== null ? [next] : [];
}

/** The orchestrator's inbox is the engine itself: it checks completion and passes questions to the person. */
function isForEngine({ to, type }: AgentMessage): boolean {
  return to === 'orchestrator' && (type === 'status' || type === 'question');
}

function declaredTargets({ workflow }: StageProgress, message: AgentMessage, from: string): string[] {
  const targets = getStageDefinition(workflow.definition, from)?.outputTo ?? [];
  return targets.filter((name) => getStageDefinition(workflow.definition, name)?.agent === message.to);
}

function hasRun({ state }: StageProgress, stage: string): boolean {
  return (state.iterationCounts.get(stage) ?? 0) > 0;
}
