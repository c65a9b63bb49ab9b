import type { JsonObject } from '../../../core/model/json.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { quote } from '../../model/endpoint-error.ts';
import { costOf } from '../../model/model-config.ts';
import type { CallAnswer, CallFailure, CallReply } from '../../port.ts';
import { count, objectIn, stringIn } from '../../read-json.ts';
import {
  answeredTurn,
  type ClientName,
  type ClientSigns,
  endedBadly,
  endedEarly,
  type EndedTurn,
  endpointFailure,
  endpointUnreachable,
  failed,
  failedTurn,
  replyUnreadable,
  saidNothing,
  sessionLost,
  stoppedTurn,
  untilMoment,
  usedUp,
} from '../client-failure.ts';
import type { ClientEnd } from '../process/client-process.ts';
import { type ClaudeStory, turnCost, turnUsage } from './claude-story.ts';

/** A finished turn: its text, the program's end, and the reader's own decisions. */
export interface ClaudeTurnOutcome extends EndedTurn {
  readonly story: ClaudeStory;
  /** Why it was given up, where it was. */
  readonly verdict: Failure | null;
  readonly session: string;
  readonly now: number;
}

/** Success needs the result and a clean exit; everything else is a failure with a class. */
export function claudeReply(turn: ClaudeTurnOutcome): CallReply {
  const { story } = turn;
  const failure = failureOf(turn);
  if (failure !== null || story.result === null) return spent(turn, failure ?? endedEarly(turn.name, turn.end, 0));
  return answer(turn, story.result);
}

function failureOf(turn: ClaudeTurnOutcome): Failure | null {
  const { story, end, name, limits } = turn;
  const stopped = turn.verdict ?? stoppedTurn(name, end, limits);
  if (stopped !== null) return stopped;
  if (UNKNOWN_SESSION.test(`${end.errorOutput}\n${errorsOf(story.result)}`)) return sessionLost(name, turn.session);
  if (story.result === null) return endedEarly(name, end, story.unreadable);
  if (story.result['is_error'] !== false) return refusal(turn, story.result);
  if (end.exitCode !== 0) return endedBadly(name, end);
  return turn.hasDesk || stringIn(story.result['result']).trim() !== '' ? null : saidNothing(name);
}

const UNKNOWN_SESSION = /No conversation found with session ID/;
const ALREADY_USED = /Session ID \S+ is already in use/;

/** The conversation exists already, so it can only be resumed. */
export const isSessionUsed = ({ errorOutput }: ClientEnd): boolean => ALREADY_USED.test(errorOutput);

const errorsOf = (result: JsonObject | null): string => JSON.stringify(result?.['errors'] ?? '');

/** The client gave up, and says why in several places. */
function refusal({ story, name, now }: ClaudeTurnOutcome, result: JsonObject): Failure {
  const text = stringIn(result['result']) || errorsOf(result);
  if (story.limit !== null) return usedUp(name, quote(text, name.secrets), untilReset(story.limit, now));
  const excuse = stringIn(story.excuse?.['error']);
  const signs = signsOf(result, excuse, text);
  const isUnreached = signs.status === undefined && NETWORK_WORDS.test(`${stringIn(result['api_error'])} ${text}`);
  if (isUnreached) return endpointUnreachable(name, text);
  const known = endpointFailure(name, signs, now);
  if (known !== null) return known;
  return UNREADABLE.test(text) ? replyUnreadable(name, text) : refused(name, result, text);
}

function signsOf(result: JsonObject, excuse: string, message: string): ClientSigns {
  const isAuth = excuse === 'authentication_failed' || LOGIN_WORDS.test(message);
  const status = isAuth ? 401 : count(result['api_error_status']);
  const type = stringIn(result['api_error_type']) || excuse.replace(/^unknown$/, '');
  return { ...(status === 0 ? {} : { status }), ...(type === '' ? {} : { type }), message };
}

const LOGIN_WORDS = /Not logged in|Please run \/login|OAuth token (has expired|revoked)|Invalid (API key|auth token)/i;
const UNREADABLE = /JSON Parse error|Unexpected (end|token)/i;
const NETWORK_WORDS = /connection_failed|Connection (error|to the API was lost)|Unable to connect|ECONN|ENOTFOUND/;

function untilReset(limit: JsonObject, now: number): number | undefined {
  const moment = count(limit['resetsAt']);
  return moment === 0 ? undefined : Math.max(0, untilMoment(moment, now));
}

function refused({ title, secrets }: ClientName, result: JsonObject, text: string): Failure {
  const why = stringIn(result['terminal_reason']) || stringIn(result['subtype']) || 'unknown';
  return { class: 'crash', code: 'CLIENT_FAILED', message: `${title} gave up ${quote(`(${why}): ${text}`, secrets)}` };
}

function spent({ story, price }: ClaudeTurnOutcome, failure: Failure): CallFailure {
  const { calls } = story.usage;
  if (calls === 0) return failed(failure);
  const usage = story.result === null ? story.usage : turnUsage(story.result, calls);
  const reported = story.result === null ? null : turnCost(story.result);
  return failedTurn(failure, usage, price === undefined ? reported : costOf(usage, price));
}

function answer({ story, price }: ClaudeTurnOutcome, result: JsonObject): CallAnswer {
  const usage = turnUsage(result, Math.max(1, story.usage.calls));
  return answeredTurn({
    content: stringIn(result['result']),
    usage,
    costUsd: price === undefined ? turnCost(result) : costOf(usage, price),
    model: stringIn(objectIn(story.init ?? undefined)['model']) || 'unknown',
    denials: story.denials,
  });
}
