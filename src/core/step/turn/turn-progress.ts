import { append, emptyList, toArray } from '../../model/append-list.ts';
import type { Evidence, TurnNudged } from '../../record/agent-fact.ts';
import { nextAttempt, relieved, takeSummary } from './compaction-progress.ts';
import type { Fact } from '../../record/fact.ts';
import type { CallAnswered, CallFailed, CallStarted, ToolFinished } from '../../record/call-fact.ts';
import type { ResolvedWork } from '../../record/task-fact.ts';
import { unreachable } from '../../model/fault.ts';
import type { PermissionAsked, PermissionSettled } from '../../record/files-fact.ts';
import { isJsonObject } from '../../model/json.ts';
import type { Message, ToolCall } from '../../model/message.ts';
import { CONTEXT_OVERFLOW } from '../../model/outcome.ts';
import { NO_CHANGE_TOOL } from './owed-changes.ts';
import type { AgentMemory, Context, Task } from '../../fold/snapshot.ts';
import type { TurnProgress } from '../../fold/turn-state.ts';

/** How a turn's facts change it: the agent's own small machine, `calling ⇄ tools`. */
export type TurnFact =
  | CallStarted
  | CallAnswered
  | CallFailed
  | ToolFinished
  | PermissionAsked
  | PermissionSettled
  | TurnNudged
  | Extract<Fact, { kind: 'call.retried' }>;

export function startTurn(work: Extract<ResolvedWork, { kind: 'turn' }>, context: Context | undefined): TurnProgress {
  const opening = openingOf(work);
  const view = context?.views?.[work.agent];
  return {
    phase: 'calling',
    call: 1,
    attempt: 1,
    retryAt: null,
    openTools: [],
    asking: [],
    corrected: false,
    accepted: [],
    messages: opening === null ? emptyList() : append(emptyList(), opening),
    sees: context?.messages.length ?? 0,
    ...(view === undefined ? {} : { base: view, seesOfView: view.length }),
  };
}

/** The first message of the turn, if there is one. */
export function openingOf({ agent, input, opening }: Extract<ResolvedWork, { kind: 'turn' }>): Message | null {
  if (input !== null) return { author: 'workflow', to: agent, role: 'user', content: input };
  return opening === undefined ? null : { author: 'troupe', to: agent, role: 'user', content: opening };
}

export function turnAfter(task: Task, fact: TurnFact): TurnProgress | null {
  const turn = task.turn;
  if (turn === null) return null;
  switch (fact.kind) {
    case 'call.started':
      return { ...started(withoutCounts(turn)), phase: 'calling', call: fact.call, attempt: 1, retryAt: null };
    case 'call.retried':
      return { ...retried(turn), ...nextAttempt(fact) };
    case 'call.failed':
      return { ...callFailed(withoutUnanswered(turn), fact), phase: 'waiting', retryAt: fact.retryAt };
    case 'call.answered':
      return answered(turn, fact);
    case 'tool.finished':
      return toolFinished(task, turn, fact);
    case 'permission.asked':
      return askedFor(turn, fact);
    case 'permission.settled':
      return settled(turn, fact);
    case 'turn.nudged':
      return nudged(task, turn, fact);
    default:
      return unreachable(fact);
  }
}

function withoutCounts({ reliefs: _ofLastCall, ...turn }: TurnProgress): TurnProgress {
  return turn.quotaWaits === undefined ? turn : { ...turn, quotaWaits: 0 };
}

/** A call that waits for no retry was measured and not sent. */
const retried = (turn: TurnProgress): TurnProgress => (turn.phase === 'calling' ? relieved(turn) : turn);

/**
 * A person speaks in the middle of a turn. Nothing may come between a tool's call and its result, so the message waits
 * for the next call.
 */
export function tellTurn(turn: TurnProgress, message: Message): TurnProgress {
  return { ...turn, told: [...(turn.told ?? []), message] };
}

/** A request for a summary is about earlier messages, so a person's message waits for the call after it. */
const started = (turn: TurnProgress): TurnProgress => (turn.summary === undefined ? withNewMessages(turn) : turn);

function withNewMessages(turn: TurnProgress): TurnProgress {
  if (turn.told === undefined) return turn;
  const { told, ...rest } = turn;
  return { ...rest, messages: told.reduce(append<Message>, turn.messages) };
}

/** A person's messages that would be lost with the turn: unread ones, and all of them if the turn failed. */
export function remarksLeft({ messages, told = [] }: TurnProgress, isOk: boolean): readonly Message[] {
  return isOk ? told : [...toArray(messages).filter(({ author }) => author === 'person'), ...told];
}

function callFailed(turn: TurnProgress, { failure, retryAt }: CallFailed): TurnProgress {
  const { summary } = turn;
  if (summary !== undefined && failure.code === CONTEXT_OVERFLOW)
    return { ...relieved(turn), summary: { ...summary, halvings: summary.halvings + 1 } };
  if (failure.code === CONTEXT_OVERFLOW && retryAt !== null) return relieved(withoutSize(turn));
  return failure.class === 'quota' ? { ...turn, quotaWaits: (turn.quotaWaits ?? 0) + 1 } : turn;
}

/** The last count was of a request with more than its messages. */
function withoutSize({ reported: _old, ...turn }: TurnProgress): TurnProgress {
  return turn;
}

function askedFor(turn: TurnProgress, { toolCall, call }: PermissionAsked): TurnProgress {
  if (call === undefined) return { ...turn, asking: [...turn.asking, toolCall] };
  const others = (turn.asked ?? []).filter((one) => one.call.id !== toolCall);
  return { ...turn, asked: [...others, { call, isAllowed: null }] };
}

function settled(turn: TurnProgress, { toolCall, isAllowed, mark }: PermissionSettled): TurnProgress {
  const asking = turn.asking.filter((id) => id !== toolCall);
  if (turn.asked === undefined) return { ...turn, asking };
  const decided = { isAllowed, ...(mark === undefined ? {} : { mark }) };
  return { ...turn, asking, asked: turn.asked.map((one) => (one.call.id === toolCall ? { ...one, ...decided } : one)) };
}

/** The client that asked is gone; a later answer counts for the next one that asks. */
function withoutUnanswered(turn: TurnProgress): TurnProgress {
  return turn.asked === undefined ? turn : { ...turn, asked: turn.asked.filter(({ isAllowed }) => isAllowed !== null) };
}

function answered(turn: TurnProgress, fact: CallAnswered): TurnProgress {
  if (turn.summary !== undefined) return takeSummary(turn, turn.summary, fact);
  const calls = fact.message.toolCalls ?? [];
  const { isFresh: _answered, ...rest } = withoutUnanswered(turn);
  const { inputTokens, outputTokens } = fact.usage;
  return {
    ...rest,
    // An endpoint that does not count tokens reports zero.
    ...(inputTokens === 0
      ? {}
      : { reported: { input: inputTokens, tokens: inputTokens + outputTokens, messages: turn.messages.length + 1 } }),
    phase: calls.length > 0 ? 'tools' : 'ready',
    openTools: calls,
    messages: append(turn.messages, fact.message),
    ...(isUnchanged(fact) ? { unchanged: (turn.unchanged ?? 0) + 1 } : {}),
  };
}

/** The engine saw no changed file of work that has to change some, and the agent gave no reason. */
export const isUnchanged = ({ evidence = [] }: CallAnswered): boolean => evidence.some(isUnchangedWork);

export const isUnchangedWork = (one: Evidence): boolean =>
  one.kind === 'changes' && !one.isChanged && one.reason === undefined;

/** A message of the engine to the agent, sent with the next call. */
function nudged(task: Task, turn: TurnProgress, { text, why }: TurnNudged): TurnProgress {
  const to = task.work.kind === 'turn' ? { to: task.work.agent } : {};
  const message: Message = { author: 'troupe', ...to, role: 'user', content: text };
  return { ...turn, ...(why === undefined ? { isNudged: true } : {}), messages: append(turn.messages, message) };
}

function toolFinished(task: Task, turn: TurnProgress, fact: ToolFinished): TurnProgress {
  const openTools = turn.openTools.filter((call) => call.id !== fact.toolCall);
  const accepted = fact.accepted === true ? turn.openTools.filter((call) => call.id === fact.toolCall) : [];
  const result = resultMessage(task.work.kind === 'turn' ? task.work.agent : 'workflow', fact);
  return {
    ...turn,
    openTools,
    accepted: [...turn.accepted, ...accepted],
    corrected: turn.corrected || fact.accepted === false,
    phase: openTools.length > 0 ? 'tools' : 'ready',
    messages: append(turn.messages, result),
    ...(fact.refused === 'EVIDENCE_MISSING' ? { doubts: (turn.doubts ?? 0) + 1 } : {}),
    ...(fact.refused === 'REPLY_OWED' ? { isNudged: true } : {}),
    ...(fact.refused === 'REPLY_RETURNED' ? returnedIn(turn, fact) : {}),
    ...(fact.isError ? {} : reasonIn(turn.openTools.find((call) => call.id === fact.toolCall))),
  };
}

function returnedIn({ openTools }: TurnProgress, { toolCall }: ToolFinished): Pick<TurnProgress, 'returned'> {
  const returned = openTools.find(({ id }) => id === toolCall);
  return returned === undefined ? {} : { returned };
}

/** A tool's result as a message of the conversation. */
export const resultMessage = (author: string, { content, toolCall, isError, accepted }: ToolFinished): Message => ({
  author,
  role: 'tool',
  content,
  toolCallId: toolCall,
  ...(isError ? { isError } : {}),
  ...(accepted === true ? { isReply: accepted } : {}),
});

function reasonIn(call: ToolCall | undefined): Pick<TurnProgress, 'noChange'> {
  if (call?.name !== NO_CHANGE_TOOL || !isJsonObject(call.arguments)) return {};
  const { reason } = call.arguments;
  return typeof reason === 'string' ? { noChange: reason } : {};
}

/** The part of the agent that scripts can read once its turn has succeeded. */
export function memoryOf(agent: string, turn: TurnProgress): AgentMemory {
  const answer = toArray(turn.messages).findLast((message) => message.author === agent && message.role !== 'tool');
  return {
    lastResponse: answer?.content ?? '',
    toolCalls: answer?.toolCalls ?? [],
    parsingCalls: turn.accepted.length > 0 || turn.returned === undefined ? turn.accepted : [turn.returned],
  };
}
