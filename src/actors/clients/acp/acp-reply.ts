import type { JsonObject } from '../../../core/json.ts';
import type { Failure } from '../../../core/outcome.ts';
import type { CostUsd, Usage } from '../../../core/usage.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import type { ClientLimits } from '../../client-port.ts';
import { quote } from '../../model/error-signs.ts';
import { costOf, type Price } from '../../model/price.ts';
import type { CallAnswer, CallFailure, CallReply } from '../../port.ts';
import { endedBadly, endedEarly, failed, stoppedTurn, type ClientName } from '../client-failure.ts';
import type { ClientEnd } from '../process/client-process.ts';
import type { AcpAgent } from './acp-agent.ts';
import { wordsFailure } from './acp-failure.ts';
import type { AcpStory } from './acp-story.ts';
import type { TurnVerdict } from './acp-turn.ts';
import { promptModel, promptUsage } from './prompt-usage.ts';

/** A turn that is over: what was said, how the conversation came out, how the program ended. */
export interface AcpTurnOutcome {
  readonly agent: AcpAgent;
  readonly story: AcpStory;
  readonly end: ClientEnd;
  readonly verdict: TurnVerdict;
  readonly limits: ClientLimits;
  /** Its reply comes in another way, so that its last words may be none. */
  readonly hasDesk: boolean;
  readonly isAccepted: boolean;
  readonly name: ClientName;
  readonly model: string;
  readonly price: Price | undefined;
}

/** Success needs the end of the turn as the agent tells it, and an end of the program that is no crash. */
export function acpReply(turn: AcpTurnOutcome): CallReply {
  const failure = failureOf(turn);
  return failure === null ? answer(turn) : spent(turn, failure);
}

function failureOf(turn: AcpTurnOutcome): Failure | null {
  const { verdict, end, name, story } = turn;
  // One that stays when all was said is only told to go; nothing in the protocol says that it should have gone.
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
      return stop('crash', 'CLIENT_FAILED', `${title} ended its turn as cancelled, though nobody cancelled it.`);
    default:
      return gaveUp(turn.name, `its turn ended with ${JSON.stringify(response['stopReason'] ?? null)}`);
  }
}

function endFailure({ agent, story, name, hasDesk }: AcpTurnOutcome): Failure | null {
  const words = story.lastWords.trim();
  if (agent.errorWords?.test(words) === true) return wordsFailure(name, words) ?? gaveUp(name, words);
  return hasDesk || words !== '' ? null : saidNothing(name);
}

const stop = (kind: Failure['class'], code: string, message: string): Failure => ({ class: kind, code, message });

function gaveUp({ title, secrets }: ClientName, words: string): Failure {
  return stop('crash', 'CLIENT_FAILED', `${title} gave up: ${quote(words, secrets)}`);
}

function saidNothing({ title }: ClientName): Failure {
  return stop('bad-reply', 'REPLY_EMPTY', `${title} ended its turn without a word.`);
}

function spent(turn: AcpTurnOutcome, failure: Failure): CallFailure {
  const usage = turn.verdict.kind === 'ended' ? promptUsage(turn.verdict.response) : null;
  if (usage === null) return failed(failure);
  return { ...failed(failure), spent: { usage, costUsd: turnCost(turn, usage) } };
}

function answer(turn: AcpTurnOutcome): CallAnswer {
  const { story, name, model, verdict } = turn;
  const usage = verdict.kind === 'ended' ? promptUsage(verdict.response) : null;
  return {
    kind: 'answered',
    content: story.lastWords,
    toolCalls: [],
    usage: usage ?? { ...NO_USAGE, calls: 1 },
    costUsd: turnCost(turn, usage),
    model: (verdict.kind === 'ended' ? promptModel(verdict.response) : '') || model || name.model,
    ...(story.tools.denials.length === 0 ? {} : { denials: [...story.tools.denials] }),
  };
}

/** What is told goes over the whole conversation; less than before is of the program that told it. Else it is unknown. */
function turnCost({ agent, story, verdict, price }: AcpTurnOutcome, usage: Usage | null): CostUsd {
  if (price !== undefined) return agent.tellsLastCallOnly === true ? null : costOf(usage, price);
  const [before, after] = [verdict.kind === 'ended' ? verdict.costBefore : null, story.conversationCost];
  if (before === null || after === null) return null;
  return after < before ? after : after - before;
}
