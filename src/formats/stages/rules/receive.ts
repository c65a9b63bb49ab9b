import {
  type AgentMessage,
  createTaskMessage,
  detectCompletion,
  MESSAGE_TYPES,
  metadataOf,
  PERSON,
  STAGE_VERDICTS,
  timestamp,
  verdictOf,
} from './agent-message.ts';
import { getStageDefinition } from './find-stage.ts';
import type { RoutingDecision } from './stage-definition.ts';
import { completeMessage } from './complete-message.ts';
import { type Targets, targetsOf } from './message-targets.ts';
import type { StageEvent } from './decision.ts';
import { closeStage, deliver, failStage } from './enter-stage.ts';
import {
  callFunction,
  type Cause,
  changeAgent,
  isRoleKnown,
  note,
  openStage,
  type OpenStage,
  ownCodeFailed,
  type StageProgress,
  reportOnly,
} from './progress.ts';
import { enqueue, leaveWaiting } from './queue.ts';
import { finishFailed, goOn } from './go-on.ts';

/** Questions of one stage to a person, at most; then it has failed. */
const QUESTIONS = 10;

/** The agent needs a person: no agent of the workflow takes its question, or it is blocked. */
function ask(progress: StageProgress, turn: OpenStage, message: AgentMessage): void {
  if (turn.questions >= QUESTIONS) {
    const reason = `${turn.role} asked ${QUESTIONS} questions in the stage ${turn.stage} and has another.`;
    const end = failStage(progress, turn, { code: 'AGENT_ERROR', message: reason, isChance: false });
    return end === undefined ? goOn(progress, null) : finishFailed(progress, end);
  }
  const choices = metadataOf(message, 'choices');
  const { subject, body } = message.content;
  replace(progress, { ...turn, questions: turn.questions + 1, isAsking: true });
  changeAgent(progress, turn.role, { status: 'blocked' });
  progress.question = {
    stage: turn.stage,
    role: turn.role,
    text: body === '' ? subject : body,
    choices: Array.isArray(choices) ? choices.map(String) : [],
  };
  // Others may go on meanwhile.
  goOn(progress, null);
}

/** The person answered: the same agent continues the same stage. */
export function answer(progress: StageProgress, event: Extract<StageEvent, { kind: 'answered' }>): void {
  const turn = openStage(progress, event.stage);
  if (turn === undefined || !turn.isAsking) {
    const message = `An answer came for the stage ${event.stage}, which has not asked.`;
    return reportOnly(progress, { stage: event.stage, code: 'UNEXPECTED_MESSAGE', message, recoverable: true });
  }
  const reply = { ...createTaskMessage(turn.role, 'Answer', event.answer), from: PERSON };
  progress.state.messages?.push(reply);
  progress.sent.push(reply);
  deliver(progress, {
    ...turn,
    inputs: [...turn.inputs, reply],
    isAsking: false,
    note: 'A person answered your question. The answer is the last part of what you are given.',
  });
}

function replace({ kept }: StageProgress, turn: OpenStage): void {
  kept.open = kept.open.map((one) => (one.stage === turn.stage ? turn : one));
}

/** An agent answered. Its message is routed once, and what the routing says is done. */
export function receive(progress: StageProgress, event: Extract<StageEvent, { kind: 'message' }>): void {
  const turn = openStage(progress, event.stage);
  const message = completeMessage(structuredClone(event.message), { from: event.from });
  const odd = oddity(progress, event, { turn, message });
  if (turn === undefined || message === undefined || odd !== undefined) {
    const cause = odd ?? { code: 'UNEXPECTED_MESSAGE', message: 'What came is not a message.' };
    return reportOnly(progress, { ...cause, stage: event.stage, agent: event.from, recoverable: true });
  }
  const { state } = progress;
  state.currentStage = turn.stage;
  state.messages?.push(message);
  progress.sent.push(message);
  changeAgent(progress, turn.role, { lastMessageAt: timestamp() });
  const invalid = invalidOutput(message) ?? wrongKind(progress, turn, message);
  if (invalid === undefined) return take(progress, turn, message);
  state.processedMessageIds.add(message.id);
  endFailed(progress, turn, { code: 'INVALID_OUTPUT', message: invalid });
}

interface Arrived {
  readonly turn: OpenStage | undefined;
  readonly message: AgentMessage | undefined;
}

/** Messages that change nothing: a repeated one, an unexpected one, one from the wrong agent. */
function oddity(
  progress: StageProgress,
  { stage, from }: Extract<StageEvent, { kind: 'message' }>,
  { turn, message }: Arrived,
): Cause | undefined {
  if (message !== undefined && progress.state.processedMessageIds.has(message.id)) {
    return { code: 'MESSAGE_DUPLICATE', message: `The message ${message.id} was received before; it changes nothing.` };
  }
  if (!isRoleKnown(progress, from)) {
    return { code: 'UNKNOWN_ROLE', message: `A message came from "${from}", which is not a role of this workflow.` };
  }
  if (turn === undefined) {
    return { code: 'UNEXPECTED_MESSAGE', message: `A message came from the stage ${stage}, which is not under way.` };
  }
  if (turn.role === from) return undefined;
  return {
    code: 'UNEXPECTED_MESSAGE',
    message: `The stage ${stage} is played by ${turn.role}; a message came from ${from}.`,
  };
}

function invalidOutput(message: AgentMessage): string | undefined {
  if (!MESSAGE_TYPES.includes(message.type)) {
    return `"${message.type}" is not a type of message. There are ${MESSAGE_TYPES.join(', ')}.`;
  }
  const verdict = metadataOf(message, 'verdict');
  if (message.type !== 'review' || verdict === undefined || verdictOf(message) !== undefined) return undefined;
  return `The verdict ${JSON.stringify(verdict)} is not one of ${STAGE_VERDICTS.join(', ')}.`;
}

/** A stage takes only the types it names: code is no documentation, whatever the agent calls complete. */
function wrongKind({ workflow }: StageProgress, { stage }: OpenStage, message: AgentMessage): string | undefined {
  const required = getStageDefinition(workflow.definition, stage)?.artifactKind;
  const kind = metadataOf(message, 'kind') ?? metadataOf(message, 'type');
  if (required === undefined || message.type !== 'artifact' || kind === required) return undefined;
  return `The stage ${stage} takes an artifact of the kind ${required}; this one is ${JSON.stringify(kind ?? null)}.`;
}

function take(progress: StageProgress, turn: OpenStage, message: AgentMessage): void {
  const { state } = progress;
  // Routing sees the stage as complete, so that a stage that joins two others sees both as complete.
  const execution = closeStage(progress, turn, 'complete');
  const decision = callFunction(progress, 'routeMessage', (workflow) =>
    workflow.routeMessage(turn.role, message, state),
  );
  const targets = targetsOf(progress, decision, { stage: turn.stage, message });
  state.processedMessageIds.add(message.id);
  applyAgentState(progress, decision, turn);
  const verdict = judge(progress, { turn, message, decision, targets });
  if (verdict === 'complete') {
    execution?.outputMessageIds.push(message.id);
    const stage = turn.stage;
    callFunction(progress, 'onStageComplete', (workflow) => workflow.onStageComplete(stage, [message], state));
    send(progress, targets);
    return goOn(progress, { stage, message, isRouted: targets.routed.length > 0, isEnd: targets.isEnd });
  }
  if (execution !== undefined) reopen(execution);
  progress.kept.open.push(turn);
  changeAgent(progress, turn.role, { status: 'working', currentTask: turn.stage });
  verdict(turn);
}

function reopen(execution: { status: string; completedAt?: string }): void {
  execution.status = 'running';
  delete execution.completedAt;
}

interface Reply {
  readonly turn: OpenStage;
  readonly message: AgentMessage;
  readonly decision: RoutingDecision;
  readonly targets: Targets;
}

/** Whether the message completes its stage, or what it does instead. */
function judge(progress: StageProgress, reply: Reply): 'complete' | ((turn: OpenStage) => void) {
  const { turn, message, decision, targets } = reply;
  const isSideWord = message.type !== turn.outputType && !isHandled(targets);
  if (isSideWord && isQuestion(message)) return (open) => ask(progress, open, message);
  if (isSideWord && detectCompletion(message)) return (open) => doubt(progress, open);
  if (message.type === 'review' && verdictOf(message) === 'REJECTED') return (open) => reject(progress, open, reply);
  if (decision.refusal !== undefined && !isClosing(progress, turn)) {
    const { refusal } = decision;
    return (open) => endFailed(progress, open, refusal);
  }
  return 'complete';
}

function isHandled({ routed, isEnd }: Targets): boolean {
  return routed.length > 0 || isEnd;
}

function isQuestion(message: AgentMessage): boolean {
  return message.type === 'question' || (message.type === 'status' && metadataOf(message, 'status') === 'blocked');
}

/** The output of the last stage needs no route. */
function isClosing({ workflow }: StageProgress, turn: OpenStage): boolean {
  const { definition } = workflow;
  return definition.completionStage === turn.stage && getStageDefinition(definition, turn.stage) !== undefined;
}

/** "Complete" is a claim. It counts when the workflow finds itself complete; else the stage still owes its output. */
function doubt(progress: StageProgress, turn: OpenStage): void {
  const { state } = progress;
  if (callFunction(progress, 'isComplete', (workflow) => workflow.isComplete(state))) {
    closeStage(progress, turn, 'complete');
    return goOn(progress, { stage: turn.stage, message: turn.message, isRouted: false, isEnd: true });
  }
  const reason = `${turn.role} says that ${turn.stage} is complete, but has handed in no ${turn.outputType}.`;
  endFailed(progress, turn, { code: 'INVALID_OUTPUT', message: reason });
}

/** A rejection ends the stage as failed. A workflow that routes it has said what follows; else `failureStrategy` does. */
function reject(progress: StageProgress, turn: OpenStage, { message, targets }: Reply): void {
  const { stage } = turn;
  const cause: Cause = { code: 'REJECTED', message: `${turn.role} rejected what ${stage} got: ${summaryOf(message)}` };
  if (isHandled(targets)) {
    closeStage(progress, turn, 'failed')?.outputMessageIds.push(message.id);
    note(progress, { ...cause, stage, agent: turn.role, recoverable: true });
    send(progress, targets);
    return goOn(progress, { stage, message, isRouted: targets.routed.length > 0, isEnd: targets.isEnd });
  }
  endFailed(progress, turn, cause, message.id);
}

function summaryOf({ content }: AgentMessage): string {
  return content.body === '' ? content.subject : content.body;
}

/** The stage is tried again, or has failed; the run goes on or ends. */
// oxlint-disable-next-line eslint/max-params
function endFailed(progress: StageProgress, turn: OpenStage, cause: Cause, outputId?: string): void {
  const isChance = cause.code !== 'REJECTED';
  const end = failStage(progress, turn, { ...cause, isChance, ...(isChance ? { note: cause.message } : {}) });
  if (outputId !== undefined) keepOutput(progress, turn, outputId);
  if (end !== undefined) return finishFailed(progress, end);
  goOn(progress, null);
}

function keepOutput({ state }: StageProgress, turn: OpenStage, id: string): void {
  state.stageHistory.findLast(({ stageName }) => stageName === turn.stage)?.outputMessageIds.push(id);
}

function applyAgentState(progress: StageProgress, { updateAgentState }: RoutingDecision, turn: OpenStage): void {
  if (updateAgentState === undefined) return;
  const { role, state } = updateAgentState;
  if (typeof role !== 'string') throw ownCodeFailed(progress.workflow, 'routeMessage changed an agent without a role');
  if (isRoleKnown(progress, role)) return changeAgent(progress, role, { ...state, role });
  const message = `routeMessage changed the agent "${role}", which is not a role of this workflow.`;
  note(progress, { stage: turn.stage, code: 'UNKNOWN_ROLE', message, recoverable: true });
}

function send(progress: StageProgress, { routed, waiting }: Targets): void {
  for (const one of routed) enqueue(progress, one);
  for (const message of waiting) leaveWaiting(progress, message);
  progress.sent.push(...new Set([...routed.map(({ message }) => message), ...waiting]));
}
