import type { Failure } from '../../../core/outcome.ts';
import type { ClientLimits } from '../../client-port.ts';
import { costOf, type Price } from '../../model/price.ts';
import type { CallAnswer, CallFailure, CallReply } from '../../port.ts';
import {
  deskUnreachable,
  endedBadly,
  endedEarly,
  failed,
  sessionLost,
  stoppedTurn,
  type ClientName,
} from '../client-failure.ts';
import type { ClientEnd } from '../process/client-process.ts';
import type { CodexStory } from './codex-story.ts';
import { excuseFailure, type FailureMoment } from './excuse-failure.ts';
import type { TurnAccount } from './thread-account.ts';

/** A turn that is over: what was said, how the program ended, and what the reader had decided by itself. */
export interface CodexTurnOutcome extends FailureMoment {
  readonly story: CodexStory;
  readonly end: ClientEnd;
  /** Why it was given up, where it was. */
  readonly verdict: Failure | null;
  readonly isAccepted: boolean;
  readonly account: TurnAccount;
  /** The conversation as it was ordered; empty for a new one. */
  readonly session: string;
  readonly limits: ClientLimits;
  /** Its reply comes in another way, so that its last words may be none. */
  readonly hasDesk: boolean;
  readonly name: ClientName;
  readonly model: string | undefined;
  readonly price: Price | undefined;
}

/** Success needs the last line of a turn that went well, and a clean exit; everything else is a failure with a class. */
export function codexReply(turn: CodexTurnOutcome): CallReply {
  const failure = failureOf(turn);
  return failure === null ? answer(turn) : spent(turn, failure);
}

function failureOf(turn: CodexTurnOutcome): Failure | null {
  const { story, end, name } = turn;
  const stopped = turn.verdict ?? stoppedTurn(name, end, turn.limits);
  if (stopped !== null) return stopped;
  if (turn.isAccepted) return null;
  if (story.excuse !== null) return excuseFailure(name, story.excuse, turn);
  if (story.total === null) return unbegun(turn) ?? endedEarly(name, end, story.unreadable);
  if (end.exitCode !== 0) return endedBadly(name, end);
  return turn.hasDesk || story.lastText.trim() !== '' ? null : saidNothing(name);
}

/** Before it speaks its protocol it tells what is wrong on its error output only. */
function unbegun({ story, end, name, session }: CodexTurnOutcome): Failure | null {
  if (story.thread !== '') return null;
  if (UNKNOWN_SESSION.test(end.errorOutput)) return sessionLost(name, session);
  return DESK_DOWN.test(end.errorOutput) ? deskUnreachable(name) : null;
}

const UNKNOWN_SESSION = /no rollout found for thread id|missing source rollout|Session not found|thread not found/i;
const DESK_DOWN = /required MCP servers failed to initialize/;

function saidNothing({ title }: ClientName): Failure {
  return { class: 'bad-reply', code: 'REPLY_EMPTY', message: `${title} ended its turn without a word.` };
}

function spent({ account: { usage }, price }: CodexTurnOutcome, failure: Failure): CallFailure {
  return usage.calls === 0 ? failed(failure) : { ...failed(failure), spent: { usage, costUsd: costOf(usage, price) } };
}

function answer({ story, account, price, model }: CodexTurnOutcome): CallAnswer {
  return {
    kind: 'answered',
    content: story.lastText,
    toolCalls: [],
    usage: account.usage,
    costUsd: costOf(account.usage, price),
    model: account.model || (model ?? 'unknown'),
    ...(story.denials.length === 0 ? {} : { denials: [...story.denials] }),
  };
}
