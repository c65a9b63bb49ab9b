import { isJsonObject } from '../../../core/model/json.ts';
import type { AgentMessage } from './agent-message.ts';
import { completeMessage } from './complete-message.ts';
import { getStageDefinition } from './find-stage.ts';
import { isRoleKnown, note, ownCodeFailed, type Routed, type StageProgress } from './progress.ts';
import type { RoutingDecision } from './stage-definition.ts';
import { declaredTargets, stagesMeant } from './stage-triggers.ts';

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
