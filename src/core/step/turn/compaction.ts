import { toArray } from '../../model/append-list.ts';
import { shortCount } from '../../look/amount-text.ts';
import { isCleared } from '../../fold/cleared-result.ts';
import type { RequestSize } from '../../record/compaction-fact.ts';
import { hasProgress } from './compaction-progress.ts';
import type { Summarising, TurnProgress } from '../../fold/turn-state.ts';
import type { CallAnswered, CallFailed } from '../../record/call-fact.ts';
import { mayCall } from '../../model/limits.ts';
import type { Message } from '../../model/message.ts';
import type { Failure } from '../../model/outcome.ts';
import type { StepProgress } from '../progress.ts';
import type { Task } from '../../fold/snapshot.ts';

/**
 * How to handle a request that nears its model's window (A6). The host measures, this decides, and the decision is
 * journaled. All figures are shares of the usable window, with an upper bound, so that they work for windows of 4K and of
 * 1M.
 */
export type Relief =
  | { readonly kind: 'none' }
  | { readonly kind: 'clear'; readonly toolCalls: readonly string[]; readonly freed: number }
  | { readonly kind: 'summarise' }
  | { readonly kind: 'too-small' };

const CLEAR_AT = 0.7;
const SUMMARISE_AT = 0.85;
/** The newest part of a turn, in which no result is cleared. */
const KEPT = { share: 0.35, most: 40_000 };
/** A clearing changes the prefix that providers have cached, so it has to be worth it. */
const WORTH_CLEARING = { share: 0.15, most: 20_000 };
/** A summary that would free less than this share is not asked for. */
const WORTH_SUMMARISING = 0.1;

export function reliefFor(size: RequestSize, turn: TurnProgress): Relief {
  const { tokens, usable, mayEdit } = size;
  if (tokens < usable * CLEAR_AT) return { kind: 'none' };
  const clearing = mayEdit ? clearable(turn, size) : null;
  if (clearing !== null) return { kind: 'clear', ...clearing };
  if (tokens < usable * SUMMARISE_AT) return { kind: 'none' };
  if (isWorthSummarising(size)) return { kind: 'summarise' };
  return tokens <= usable ? { kind: 'none' } : { kind: 'too-small' };
}

const isWorthSummarising = ({ tokens, fixed, usable }: RequestSize): boolean =>
  fixed <= usable && tokens - fixed >= usable * WORTH_SUMMARISING;

function clearable(
  turn: TurnProgress,
  { usable, density }: RequestSize,
): Pick<Extract<Relief, { kind: 'clear' }>, 'toolCalls' | 'freed'> | null {
  const messages = toArray(turn.messages);
  let kept = Math.min(KEPT.most, usable * KEPT.share);
  const lastRound = messages.findLastIndex(({ role }) => role !== 'tool');
  const toolCalls: string[] = [];
  let freed = 0;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined) continue;
    const tokens = Math.ceil(tokensIn(message) * density);
    kept -= tokens;
    if (kept > 0 || index > lastRound || message.role !== 'tool' || isSmall(message)) continue;
    toolCalls.push(message.toolCallId ?? '');
    freed += tokens;
  }
  return freed >= Math.min(WORTH_CLEARING.most, usable * WORTH_CLEARING.share) ? { toolCalls, freed } : null;
}

const CHARACTERS_A_TOKEN = 3;
const tokensIn = ({ content }: Message): number => Math.ceil(content.length / CHARACTERS_A_TOKEN);
const isSmall = (message: Message): boolean => message.content.length < 300 || isCleared(message);

interface FullRequest {
  readonly call: number;
  readonly attempt: number;
  readonly size: RequestSize;
}

/** The host did not send a request, because it nears the window. */
export function relieve(progress: StepProgress, task: Task, { call, attempt, size }: FullRequest): Failure | null {
  const { turn } = task;
  if (turn === null) return null;
  const relief = reliefFor(size, turn);
  if (relief.kind === 'too-small') return tooSmall(size);
  if (relief.kind === 'summarise') {
    if (isStuck(turn)) return noProgress(task, size);
    startSummary(progress, task, { call, attempt: attempt + 1, size, reason: 'near' });
    return null;
  }
  const next = attempt + 1;
  const held = holdCall(progress);
  if (relief.kind === 'none') progress.record({ kind: 'call.retried', task: task.id, call, attempt: next, ...held });
  else {
    const { toolCalls, freed } = relief;
    const after = Math.max(size.tokens - freed, size.fixed);
    const sizes = { before: size.tokens, after };
    progress.record({ kind: 'results.cleared', task: task.id, call, attempt: next, toolCalls, ...sizes, ...held });
  }
  if (held.isHeld !== true) emitCall(progress, task, { call, attempt: next });
  return null;
}

/** A limit or a pause that came meanwhile holds the smaller request like any other call. */
const holdCall = (progress: StepProgress): { readonly isHeld?: true } => (mayCall(progress) ? {} : { isHeld: true });

/** The endpoint refused a request as too large. Null: the turn continues with less; else why it cannot. */
export function relieveOverflow(
  progress: StepProgress,
  task: Task,
  event: Omit<CallFailed, 'retryAt'>,
): Failure | null {
  const { turn } = task;
  const { size, failure, call, attempt } = event;
  if (turn === null || size === undefined) return failure;
  if (turn.summary !== undefined) {
    if (turn.summary.halvings >= MOST_HALVINGS) return failure;
    // The next try is due at once, and asks about half as much.
    progress.record({ ...event, retryAt: progress.at });
    return null;
  }
  // Leaving out what exceeds the newly known window is enough.
  if (size.tokens <= size.usable) {
    progress.record({ ...event, retryAt: progress.at });
    return null;
  }
  if (turn.isFresh === true || !isWorthSummarising(size)) return failure;
  if (isStuck(turn)) return noProgress(task, size);
  progress.record({ ...event, retryAt: null });
  startSummary(progress, task, { call, attempt: attempt + 1, size, reason: 'overflow' });
  return null;
}

const MOST_HALVINGS = 4;

/** After two compactions without progress in between, a third would follow. */
const isStuck = (turn: TurnProgress): boolean => (turn.compactions ?? 0) > 0 && !hasProgress(turn);

type SummaryOrder = FullRequest & Pick<Summarising, 'reason'>;

function startSummary(progress: StepProgress, task: Task, { call, attempt, size, reason }: SummaryOrder): void {
  const held = holdCall(progress);
  progress.record({ kind: 'compaction.started', task: task.id, call, attempt, reason, size, ...held });
  if (held.isHeld !== true) emitCall(progress, task, { call, attempt });
}

/** Why no next part of a summary is asked for: this one covered nothing. */
export function stuckSummary(task: Task, { left: before }: Summarising, { summary }: CallAnswered): Failure | null {
  const left = summary?.left ?? 0;
  if (before === null || left === 0 || left < before) return null;
  return {
    code: 'NO_PROGRESS',
    message: `The conversation of ${agentOf(task)} is summarised part by part, and the last part covered none of the ${left} messages that are left, so its turn was stopped.`,
    class: 'limit',
    hint: 'Give it a smaller order, or a model with a larger window.',
  };
}

/** The whole conversation is covered: the turn continues with the summary in its place. */
export function endSummary(progress: StepProgress, task: Task, { text, notes = '', before, fixed }: Summarising): void {
  const said = [INTRODUCTION, text.trim(), notes].filter((part) => part !== '').join('\n\n');
  const messages = messagesOf(task.turn);
  const after = fixed + Math.ceil(said.length / CHARACTERS_A_TOKEN);
  progress.record({ kind: 'turn.compacted', task: task.id, messages, before, after, text: said });
}

/** All that the turn saw before. */
const messagesOf = (turn: TurnProgress | null): number =>
  turn === null ? 0 : (turn.base?.length ?? turn.sees) + turn.messages.length;

const INTRODUCTION =
  'Your conversation neared the window of your model, so this summary stands in its place. Your order stands above, word for word. Go on from the state that the summary names.';

function emitCall(progress: StepProgress, task: Task, { call, attempt }: Pick<FullRequest, 'call' | 'attempt'>): void {
  progress.emit({ kind: 'actor.call', task: task.id, agent: agentOf(task), call, attempt });
}

const agentOf = ({ work }: Task): string => (work.kind === 'turn' ? work.agent : '');

function tooSmall({ model, tokens, fixed, usable, window }: RequestSize): Failure {
  return {
    code: 'WINDOW_TOO_SMALL',
    message: `The agent's instructions, tools and order need about ${shortCount(fixed > usable ? fixed : tokens)} tokens. Model ${model} has a window of ${shortCount(window)}, of which a request may fill ${shortCount(usable)}.`,
    class: 'config',
    hint: `Set \`window\` of model ${model} if it takes more, give the agent a model with a larger window, or shorten the order.`,
  };
}

function noProgress(task: Task, { model, window }: RequestSize): Failure {
  return {
    code: 'NO_PROGRESS',
    message: `${agentOf(task)} filled the window of model ${model} (${shortCount(window)} tokens) twice and did nothing new in between, so its turn was stopped.`,
    class: 'limit',
    hint: 'Give it a smaller order, or a model with a larger window.',
  };
}
