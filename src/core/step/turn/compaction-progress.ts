import type { Summarising, PastCall, TurnProgress } from '../../fold/turn-state.ts';
import { append, listOf, toArray, type AppendList } from '../../model/append-list.ts';
import { clearedText } from '../../fold/cleared-result.ts';
import type { CompactionFact, CompactionStarted, ResultsCleared, TurnCompacted } from '../../record/compaction-fact.ts';
import { isOrder } from '../../fold/context.ts';
import type { CallAnswered, CallRetried } from '../../record/call-fact.ts';
import type { Message, ToolCall } from '../../model/message.ts';
import type { Context, Task } from '../../fold/snapshot.ts';
import { textHash } from '../../model/text-hash.ts';

/** How the facts of a compaction change a turn, and which messages outlive it. */

/** The messages that an agent's turn sees before its own. */
export function seenContext(turn: TurnProgress, context: Context | undefined): AppendList<Message> {
  return turn.base ?? { items: context?.messages.items ?? [], length: turn.sees };
}

/**
 * Messages that no compaction removes (A1): system messages, the first order of the conversation, which is the task that
 * later orders refer to, and the first and newest order to this agent.
 */
export function keptOf(agent: string, seen: AppendList<Message>): readonly Message[] {
  const messages = toArray(seen);
  const orders = messages.filter(isOrder);
  const own = orders.filter(({ to }) => to === undefined || to === agent);
  const kept = new Set([orders[0], own[0], own.at(-1)]);
  return messages.filter((message) => message.role === 'system' || kept.has(message));
}

/** Of a turn: its order, and a person's messages to it. */
export function keptOfTurn({ messages }: TurnProgress): readonly Message[] {
  return toArray(messages).filter(isOrder);
}

export function compactedTurn(task: Task, context: Context | undefined, fact: CompactionFact): TurnProgress | null {
  const { turn, work } = task;
  if (turn === null || work.kind !== 'turn') return turn;
  if (fact.kind === 'results.cleared') return clearResults(turn, fact);
  if (fact.kind === 'compaction.started') return startSummary(turn, fact);
  return restartTurn(turn, fact, { agent: work.agent, seen: seenContext(turn, context) });
}

function startSummary(turn: TurnProgress, fact: CompactionStarted): TurnProgress {
  const { reason, size } = fact;
  const { tokens: before, fixed } = size;
  const summary: Summarising = { reason, before, fixed, text: '', left: null, halvings: 0 };
  return { ...relieved(turn), ...nextAttempt(fact), summary };
}

/** The call is in progress again, or due as soon as the run may make calls. */
export function nextAttempt({
  attempt,
  isHeld,
}: ResultsCleared | CompactionStarted | CallRetried): Pick<TurnProgress, 'phase' | 'attempt' | 'retryAt'> {
  return isHeld === true
    ? { phase: 'waiting', attempt: attempt - 1, retryAt: 0 }
    : { phase: 'calling', attempt, retryAt: null };
}

/** One attempt more that ended because the request is made smaller. */
export const relieved = (turn: TurnProgress): TurnProgress => ({ ...turn, reliefs: (turn.reliefs ?? 0) + 1 });

export function takeSummary(turn: TurnProgress, summary: Summarising, fact: CallAnswered): TurnProgress {
  const { left = 0, notes } = fact.summary ?? {};
  return {
    ...turn,
    phase: 'ready',
    summaryCalls: (turn.summaryCalls ?? 0) + 1,
    summary: { ...summary, text: fact.message.content, left, ...(notes === undefined ? {} : { notes }) },
  };
}

/** Restarts the turn with its orders and the summary. Earlier thinking is removed with the messages it belonged to. */
function restartTurn(
  turn: TurnProgress,
  { text }: TurnCompacted,
  { agent, seen }: { readonly agent: string; readonly seen: AppendList<Message> },
): TurnProgress {
  const { summary: _made, reported: _known, ...rest } = turn;
  const standsFor = replacedIn(turn);
  const summary: Message = {
    author: 'troupe',
    to: agent,
    role: 'user',
    content: text,
    ...(standsFor > 0 ? { standsFor } : {}),
  };
  return {
    ...rest,
    base: listOf(keptOf(agent, seen)),
    messages: append(listOf(keptOfTurn(turn)), summary),
    past: [...(turn.past ?? []), ...callsOf(turn).map(pastCall)],
    compactions: (turn.compactions ?? 0) + 1,
    isFresh: true,
  };
}

/** Messages of the turn itself: those of the context stay there for others. */
function replacedIn({ messages }: TurnProgress): number {
  const replaced = toArray(messages).filter((message) => !isOrder(message));
  return replaced.reduce((sum, { author, standsFor }) => sum + (standsFor ?? (author === 'troupe' ? 0 : 1)), 0);
}

function clearResults(turn: TurnProgress, fact: ResultsCleared): TurnProgress {
  const { toolCalls } = fact;
  const { reported: _known, ...rest } = relieved(turn);
  const cleared = new Set(toolCalls);
  const tools = new Map(callsOf(turn).map(({ id, name }) => [id, name]));
  const messages = toArray(turn.messages).map((message) => {
    const { toolCallId = '', content } = message;
    return cleared.has(toolCallId) ? { ...message, content: clearedText(content, tools.get(toolCallId)) } : message;
  });
  return { ...rest, ...nextAttempt(fact), messages: listOf(messages) };
}

/** The agent has done something new since the last compaction. */
export function hasProgress(turn: TurnProgress): boolean {
  const known = new Set(turn.past?.map(({ sign }) => sign));
  const failed = new Set(toArray(turn.messages).map((message) => (message.isError === true ? message.toolCallId : '')));
  return callsOf(turn).some((call) => !failed.has(call.id) && !known.has(pastCall(call).sign));
}

function callsOf({ messages }: TurnProgress): readonly ToolCall[] {
  return toArray(messages).flatMap(({ toolCalls }) => toolCalls ?? []);
}

const pastCall = ({ id, name, arguments: input }: ToolCall): PastCall => ({
  id,
  sign: textHash(`${name} ${JSON.stringify(input)}`),
});
