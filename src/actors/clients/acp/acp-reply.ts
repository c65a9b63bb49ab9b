import type { FaultCode } from '../../../core/codes/codes.ts';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { addUsage, type CostUsd, NO_USAGE, totalTokens, type Usage } from '../../../core/model/usage.ts';
import type { CallAnswer, CallFailure, CallReply } from '../../port.ts';
import { costOf } from '../../model/model-config.ts';
import { count, objectIn, objectListIn, stringIn } from '../../read-json.ts';
import {
  answeredTurn,
  endedBadly,
  endedEarly,
  type EndedTurn,
  failedTurn,
  gaveUp,
  saidNothing,
  stoppedTurn,
} from '../client-failure.ts';
import type { AcpAgent } from './acp-agent.ts';
import { textFailure } from './acp-failure.ts';
import type { AcpStory } from './acp-story.ts';
import type { TurnVerdict } from './acp-turn.ts';

/**
 * The usage in the answer to a prompt, or null. An agent that reports each model separately may report more there than in its
 * sum: only there does it include its sub-agents.
 */
export function promptUsage(response: JsonObject): Usage | null {
  const quota = objectIn(objectIn(response['_meta'])['quota']);
  const models = objectListIn(quota['model_usage']).flatMap((row) => tokensOf(row['token_count']) ?? []);
  const [first, ...others] = models;
  const ofModels = first === undefined ? null : others.reduce(addUsage, first);
  const reported = tokensOf(response['usage']) ?? tokensOf(quota['token_count']);
  const most =
    reported === null || (ofModels !== null && totalTokens(ofModels) > totalTokens(reported)) ? ofModels : reported;
  return most === null ? null : { ...most, calls: 1 };
}

/** The model, where the answer names one. */
export function promptModel(response: JsonObject): string {
  const quota = objectIn(objectIn(response['_meta'])['quota']);
  return stringIn(objectListIn(quota['model_usage'])[0]?.['model']);
}

/** Agents differ in whether cached tokens are part of the input; their total shows which. */
function tokensOf(value: Json | undefined): Usage | null {
  const reported = objectIn(value);
  const input = either(reported, 'inputTokens', 'input_tokens');
  const outputTokens = either(reported, 'outputTokens', 'output_tokens');
  const cacheReadTokens = either(reported, 'cachedReadTokens', 'cachedInputTokens');
  const cacheWriteTokens = count(reported['cachedWriteTokens']);
  const cached = cacheReadTokens + cacheWriteTokens;
  const all = input + outputTokens + cached;
  if (all === 0) return null;
  const isApart = cached > input || count(reported['totalTokens']) >= all;
  return { inputTokens: isApart ? input + cached : input, outputTokens, cacheReadTokens, cacheWriteTokens, calls: 1 };
}

const either = (reported: JsonObject, name: string, other: string): number =>
  count(reported[name]) || count(reported[other]);

/** A finished turn: its text, its outcome, and how the program ended. */
export interface AcpTurnOutcome extends EndedTurn {
  readonly agent: AcpAgent;
  readonly story: AcpStory;
  readonly verdict: TurnVerdict;
  readonly isAccepted: boolean;
  readonly model: string;
}

/** Success needs the agent's own report of the end of the turn, and a program that did not crash. */
export function acpReply(turn: AcpTurnOutcome): CallReply {
  const failure = failureOf(turn);
  return failure === null ? answer(turn) : spent(turn, failure);
}

function failureOf(turn: AcpTurnOutcome): Failure | null {
  const { verdict, end, name, story } = turn;
  // An agent that lingers after its last message is only stopped; the protocol does not require it to leave.
  const isOnlyLate = verdict.kind !== 'cut' && end.stopped === 'lingering';
  const stopped = isOnlyLate ? null : stoppedTurn(name, end, turn.limits);
  if (stopped !== null) return stopped;
  if (verdict.kind === 'failed') return verdict.failure;
  if (verdict.kind === 'cut') return endedEarly(name, end, story.unreadable);
  return stopFailure(turn, verdict.response) ?? (end.exitCode === 0 || isOnlyLate ? null : endedBadly(name, end));
}

function stopFailure(turn: AcpTurnOutcome, response: JsonObject): Failure | null {
  const { title } = turn.name;
  switch (response['stopReason']) {
    case 'end_turn':
      return endFailure(turn);
    case 'max_tokens':
      return stop('bad-reply', 'REPLY_TRUNCATED', `${title} ran out of room before its reply was complete.`);
    case 'max_turn_requests':
      return stop('limit', 'CLIENT_LIMIT', `${title} used up the model calls that it allows itself in a turn.`);
    case 'refusal':
      return stop('bad-request', 'REPLY_FILTERED', `The model of ${title} refused to go on.`);
    case 'cancelled':
      if (turn.isAccepted) return null;
      return stop('crash', 'CLIENT_FAILED', `${title} ended its turn as cancelled, although it was not cancelled.`);
    default:
      return gaveUp(turn.name, `its turn ended with ${JSON.stringify(response['stopReason'] ?? null)}`);
  }
}

function endFailure({ agent, story, name, hasDesk }: AcpTurnOutcome): Failure | null {
  const text = story.lastWords.trim();
  if (agent.errorWords?.test(text) === true) return textFailure(name, text) ?? gaveUp(name, text);
  return hasDesk || text !== '' ? null : saidNothing(name);
}

const stop = (kind: Failure['class'], code: FaultCode, message: string): Failure => ({ class: kind, code, message });

function spent(turn: AcpTurnOutcome, failure: Failure): CallFailure {
  const usage = turn.verdict.kind === 'ended' ? promptUsage(turn.verdict.response) : null;
  return failedTurn(failure, usage, turnCost(turn, usage));
}

function answer(turn: AcpTurnOutcome): CallAnswer {
  const { story, name, model, verdict } = turn;
  const usage = verdict.kind === 'ended' ? promptUsage(verdict.response) : null;
  return answeredTurn({
    content: story.lastWords,
    usage: usage ?? { ...NO_USAGE, calls: 1 },
    costUsd: turnCost(turn, usage),
    model: (verdict.kind === 'ended' ? promptModel(verdict.response) : '') || model || name.model,
    denials: story.tools.denials,
  });
}

/** Agents report the cost of the whole conversation; a smaller sum than before is the program's alone. Otherwise unknown. */
function turnCost({ agent, story, verdict, price }: AcpTurnOutcome, usage: Usage | null): CostUsd {
  if (price !== undefined) return agent.reportsLastCallOnly === true ? null : costOf(usage, price);
  const [before, after] = [verdict.kind === 'ended' ? verdict.costBefore : null, story.conversationCost];
  if (before === null || after === null) return null;
  return after < before ? after : after - before;
}
