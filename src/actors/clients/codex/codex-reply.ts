import type { Failure } from '../../../core/model/outcome.ts';
import type { CallAnswer, CallFailure, CallReply } from '../../port.ts';
import { costOf } from '../../model/model-config.ts';
import { quote } from '../../model/endpoint-error.ts';
import { objectIn, stringIn } from '../../read-json.ts';
import {
  answeredTurn,
  type ClientName,
  type ClientSigns,
  deskUnreachable,
  endedBadly,
  endedEarly,
  type EndedTurn,
  endpointFailure,
  endpointUnreachable,
  failedTurn,
  gaveUp,
  saidNothing,
  sessionLost,
  stoppedTurn,
  usedUp,
} from '../client-failure.ts';
import type { CodexStory } from './codex-story.ts';
import type { TurnAccount } from './thread-account.ts';
import { parseObject } from '../../../core/model/json.ts';

/** The client's reason has no code, so its text decides the class. */
export function excuseFailure(name: ClientName, excuse: string, { now, zone }: FailureMoment): Failure {
  const text = withZone(excuse, zone);
  if (QUOTA_WORDS.test(text)) return usedUp(name, quote(text, name.secrets), undefined);
  const known = endpointFailure(name, signsOf(text), now);
  if (known !== null) return known;
  return NETWORK_WORDS.test(text) ? disconnected(name, text) : gaveUp(name, text);
}

export interface FailureMoment {
  readonly now: number;
  /** The time zone of the times in the client's messages. */
  readonly zone: string;
}

/** `try again at 6:13 AM` is in the client's time zone. */
const withZone = (text: string, zone: string): string =>
  text.replace(/(\btry again at [^()]*?\d ?[AP]M)\b/i, `$1 (${zone})`);

const QUOTA_WORDS = /^Quota exceeded\b|\bupgrade to (Plus|Pro|a paid plan)\b(?!.*try again)/i;

function signsOf(text: string): ClientSigns {
  const body = objectIn(parseObject(text)?.['error']);
  const message = stringIn(body['message']) || text;
  const type = stringIn(body['type']);
  const status = type === '' ? statusOf(text) : 400;
  return { ...(status === undefined ? {} : { status }), ...(type === '' ? {} : { type }), message };
}

/** Mostly a number, sometimes only a set phrase. */
function statusOf(text: string): number | undefined {
  const status = /\b(?:unexpected|last) status:? (\d{3})\b/.exec(text)?.[1];
  if (status !== undefined) return Number(status);
  return PHRASES.find(([, phrase]) => phrase.test(text))?.[0];
}

const PHRASES: readonly (readonly [number, RegExp])[] = [
  [401, /^Missing environment variable|not logged in|log ?in again|sign ?in again|token (has )?expired|refresh token/i],
  [529, /at capacity|overloaded/i],
  [500, /experiencing high demand|internal server error/i],
  [429, /^rate limit|too many requests/i],
  [400, /context window|model .* (is not supported|does not exist|not found)/i],
];

const NETWORK_WORDS =
  /^stream disconnected|^Connection failed|error sending request|failed to lookup|connection (closed|reset|refused)|timed? ?out/i;

function disconnected(name: ClientName, text: string): Failure {
  const isCut = /^stream disconnected/i.test(text) && !/lookup/.test(text);
  if (!isCut) return endpointUnreachable(name, text);
  const message = `The reply of ${name.host} to ${name.title} broke off: ${quote(text, name.secrets)}`;
  return { class: 'network', code: 'STREAM_CUT', message };
}

/** A finished turn: its text, the program's end, and the reader's own decisions. */
export interface CodexTurnOutcome extends EndedTurn, FailureMoment {
  readonly story: CodexStory;
  /** Why it was given up, where it was. */
  readonly verdict: Failure | null;
  readonly isAccepted: boolean;
  readonly account: TurnAccount;
  /** The conversation as it was ordered; empty for a new one. */
  readonly session: string;
  readonly model: string | undefined;
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

/** Before it speaks its protocol it reports errors only on standard error. */
function unbegun({ story, end, name, session }: CodexTurnOutcome): Failure | null {
  if (story.thread !== '') return null;
  if (UNKNOWN_SESSION.test(end.errorOutput)) return sessionLost(name, session);
  return DESK_DOWN.test(end.errorOutput) ? deskUnreachable(name) : null;
}

const UNKNOWN_SESSION = /no rollout found for thread id|missing source rollout|Session not found|thread not found/i;
const DESK_DOWN = /required MCP servers failed to initialize/;

function spent({ account: { usage }, price }: CodexTurnOutcome, failure: Failure): CallFailure {
  return failedTurn(failure, usage.calls === 0 ? null : usage, costOf(usage, price));
}

function answer({ story, account, price, model }: CodexTurnOutcome): CallAnswer {
  return answeredTurn({
    content: story.lastText,
    usage: account.usage,
    costUsd: costOf(account.usage, price),
    model: account.model || (model ?? 'unknown'),
    denials: story.denials,
  });
}
