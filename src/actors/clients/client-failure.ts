import type { FaultCode } from '../../core/codes/codes.ts';
import { constants, homedir } from 'node:os';
import { durationText } from '../../core/look/amount-text.ts';
import { isFault } from '../../core/model/fault.ts';
import type { Failure } from '../../core/model/outcome.ts';
import type { CostUsd, Usage } from '../../core/model/usage.ts';
import { faultToFix } from '../../workspace/store/store-fault.ts';
import type { Price } from '../model/model-config.ts';
import { type CallAnswer, type CallFailure, type ClientLimits, GRACE_MS, WENT_ON } from '../port.ts';
import { type ErrorSigns, failureFromSigns, quote } from '../model/endpoint-error.ts';
import type { ClientEnd } from './process/client-process.ts';

/**
 * How long until a used-up allowance comes back, in milliseconds, from the words a client has for it:
 * `limit reached|1800000000`, `resets at 2026-11-17T03:00:00Z`, `resets 3pm (Europe/Berlin)`, `resets Nov 20, 3:30pm (UTC)`,
 * `try again in 3 hours 20 minutes`, `try again at Nov 19th, 2026 5:13 AM (UTC)`. Undefined if there is no time in it.
 */
export function resetAfterMs(words: string, now: number): number | undefined {
  const wait = untilEpoch(words, now) ?? untilDate(words, now) ?? afterSpan(words) ?? untilClock(words, now);
  return wait === undefined || !Number.isFinite(wait) ? undefined : Math.max(0, Math.ceil(wait));
}

/** Seconds or milliseconds since the epoch. */
export function untilMoment(moment: number, now: number): number {
  return (moment < 1e11 ? moment * 1000 : moment) - now;
}

function untilEpoch(words: string, now: number): number | undefined {
  const match = /(?:\||resets?(?:_?at)?\W{1,3})(\d{10,13})\b/i.exec(words);
  return match === null ? undefined : untilMoment(Number(match[1]), now);
}

function untilDate(words: string, now: number): number | undefined {
  const match = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(words);
  return match === null ? undefined : Date.parse(match[0]) - now;
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

function afterSpan(words: string): number | undefined {
  const match = /\b(?:try again|resets?|retry) in ((?:\d+ ?[a-z]+[ ,]*(?:and )?)+)/i.exec(words);
  if (match === null) return undefined;
  const parts = [...(match[1] ?? '').matchAll(/(\d+) ?(d|h|m|s)[a-z]*/gi)];
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, size, unit = '']) => sum + Number(size) * (UNITS[unit.toLowerCase()] ?? 0), 0);
}

const CLOCK =
  /(?:resets?|try again)(?: at| on)? (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th)?(?:, \d{4})?(?:, | at | ))?(\d{1,2})(?::(\d\d))? ?([ap]m)?(?: \(([\w/+-]+)\))?/i;
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';
const DAY_MS = 86_400_000;

/** Whose clock is a little ahead hears of a time that was a moment ago. */
const JUST_NOW_MS = 5 * 60_000;

/** A time of day, perhaps with a date, in a zone by its name: the next one that fits, or the one that was just now. */
function untilClock(words: string, now: number): number | undefined {
  const match = CLOCK.exec(words);
  if (match === null) return undefined;
  const [, month, day, hour = '', minute = '0', half, zone = 'UTC'] = match;
  const offset = zoneOffset(zone, now);
  const time = { hours: hourOfDay(hour, half), minutes: Number(minute) };
  const there = new Date(now + offset);
  const moments = month === undefined ? nextDays(there, time) : nextYears(there, time, `${month} ${day ?? ''}`);
  const moment = moments.map((each) => each - offset).find((each) => each > now - JUST_NOW_MS);
  return moment === undefined ? undefined : moment - now;
}

const hourOfDay = (hour: string, half: string | undefined): number =>
  half === undefined ? Number(hour) % 24 : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);

interface TimeOfDay {
  readonly hours: number;
  readonly minutes: number;
}

function nextDays(there: Date, { hours, minutes }: TimeOfDay): readonly number[] {
  const today = Date.UTC(there.getUTCFullYear(), there.getUTCMonth(), there.getUTCDate(), hours, minutes);
  return [today - DAY_MS, today, today + DAY_MS];
}

function nextYears(there: Date, { hours, minutes }: TimeOfDay, date: string): readonly number[] {
  const [month = '', day] = date.split(' ');
  const index = MONTHS.indexOf(month.toLowerCase()) / 3;
  const year = there.getUTCFullYear();
  return [year - 1, year, year + 1].map((each) => Date.UTC(each, index, Number(day), hours, minutes));
}

/** The zone's offset from UTC in milliseconds; 0 for an unknown zone. */
function zoneOffset(zone: string, now: number): number {
  try {
    const there = new Date(now).toLocaleString('sv-SE', { timeZone: zone });
    return Date.parse(`${there.replace(' ', 'T')}Z`) - Math.floor(now / 1000) * 1000;
  } catch {
    return 0;
  }
}

/** The names used in messages about a client. */
export interface ClientName {
  /** As people call it. */
  readonly title: string;
  /** The host of its model. */
  readonly host: string;
  readonly model: string;
  /** How one logs in. */
  readonly loginHint: string;
  /** Removed from every message. */
  readonly secrets: readonly string[];
}

export const failed = (failure: Failure): CallFailure => ({ kind: 'failed', failure });

export function cancelledTurn({ title }: ClientName): Failure {
  return { class: 'cancelled', code: 'CALL_CANCELLED', message: `The turn of ${title} was cancelled.` };
}

export function programMissing({ title }: ClientName, program: string): Failure {
  return {
    class: 'config',
    code: 'CLIENT_MISSING',
    message: `The program of ${title} is not there: ${program}`,
    hint: 'Install it, or say in the settings where it is; `troupe doctor` shows what was found.',
  };
}

/**
 * Reports an error before the start: an unavailable sandbox, a folder that cannot be made. Problems of the whole machine, such as
 * a full disk, are rethrown: they pause the run until a person fixes them.
 */
export function notStarted({ title }: ClientName, error: unknown): Failure {
  const toFix = faultToFix(error, placeOf(error));
  if (toFix !== null) throw toFix;
  const message = error instanceof Error ? error.message : String(error);
  const hint = isFault(error) && error.hint !== undefined ? { hint: error.hint } : {};
  const code = isFault(error) ? error.code : 'CLIENT_NOT_STARTED';
  const kind = !isFault(error) && PASSING.test(message) ? 'crash' : 'config';
  return { class: kind, code, message: `${title} could not be started: ${message}`, ...hint };
}

/** The file that could not be written, where the error names it; the engine's own are in the user's home mostly. */
const placeOf = (error: unknown): string =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : homedir();

/** The machine had no process, memory or file to spare, or the program is just being replaced: the next try may do better. */
const PASSING = /\b(EAGAIN|EBUSY|EINTR|EMFILE|ENFILE|ENOMEM|ETXTBSY)\b/;

/** It was there when the turn began, so the next try may find it again. */
export function deskUnreachable({ title }: ClientName): Failure {
  return {
    class: 'crash',
    code: 'DESK_UNREACHABLE',
    message: `${title} could not connect to the server that takes its reply.`,
    hint: 'A proxy or a firewall may keep programs from loopback addresses.',
  };
}

export function sessionLost({ title }: ClientName, session: string): Failure {
  return {
    class: 'session',
    code: 'SESSION_LOST',
    message: `${title} does not know the conversation ${session}.`,
  };
}

/** Why the engine itself stopped it; null where it did not. */
export function stoppedTurn(name: ClientName, { stopped }: ClientEnd, ms: ClientLimits): Failure | null {
  switch (stopped) {
    case 'cancelled':
      return cancelledTurn(name);
    case 'idle':
      return {
        class: 'timeout',
        code: 'CLIENT_STUCK',
        message: `Nothing was heard of ${name.title} for ${durationText(ms.idleMs)}, so it was stopped.`,
      };
    case 'wall':
      return {
        class: 'timeout',
        code: 'CLIENT_TIMEOUT',
        message: `${name.title} was still at work after ${durationText(ms.wallMs)}, so it was stopped.`,
      };
    case 'over':
      return {
        class: 'timeout',
        code: WENT_ON,
        message: `${name.title} continued for ${durationText(ms.graceMs ?? GRACE_MS)} after its turn was over, so it was ended.`,
      };
    case 'lingering':
      return crash(name, 'CLIENT_DID_NOT_END', { what: 'said that it was done, but did not end' });
    default:
      return null;
  }
}

/** It ended without reporting the outcome of its turn. */
export function endedEarly(name: ClientName, end: ClientEnd, unreadable: number): Failure {
  if (end.startFailure !== null) return notStarted(name, new Error(end.startFailure));
  const lines = unreadable === 0 ? '' : `; ${unreadable} lines of it could not be understood`;
  return crash(name, 'CLIENT_CRASHED', {
    what: `ended ${howEnded(end)} without a result${lines}`,
    errors: end.errorOutput,
  });
}

/** It said that all is well, and then ended as if it were not. */
export function endedBadly(name: ClientName, end: ClientEnd): Failure {
  return crash(name, 'CLIENT_CRASHED', {
    what: `said that it was done, but ended ${howEnded(end)}`,
    errors: end.errorOutput,
  });
}

/** A signal comes out of a sandbox as an exit code above 128. */
function howEnded({ exitCode, signal }: ClientEnd): string {
  const number = (exitCode ?? 0) - 128;
  const name = signal ?? Object.entries(constants.signals).find(([, each]) => each === number)?.[0];
  return name === undefined ? `with exit code ${exitCode ?? 'unknown'}` : `by ${name}`;
}

function crash({ title, secrets }: ClientName, code: FaultCode, { what, errors = '' }: Crash): Failure {
  const said = errors.trim() === '' ? '.' : `: ${quote(errors.trim().slice(-LONGEST_TAIL), secrets)}`;
  return { class: 'crash', code, message: `${title} ${what}${said}` };
}

interface Crash {
  readonly what: string;
  readonly errors?: string;
}

const LONGEST_TAIL = 290;

/** Classifies the reason given by the model's endpoint or by the client; null for an unknown kind. */
export function endpointFailure(name: ClientName, signs: ClientSigns, now: number): Failure | null {
  const message = quote(signs.message, name.secrets);
  const wait = resetAfterMs(signs.message, now);
  if (LIMIT_WORDS.test(signs.message)) return usedUp(name, message, wait);
  const failure = failureFromSigns({ ...signs, message }, name);
  if (failure?.class === 'auth') return { ...failure, hint: name.loginHint };
  return failure?.class === 'quota' && wait !== undefined ? { ...failure, retryAfterMs: wait } : failure;
}

export interface ClientSigns extends ErrorSigns {
  readonly message: string;
}

/** Subscriptions end in words, with a status that elsewhere means no more than "slower". */
const LIMIT_WORDS =
  /\b(usage|session|weekly|monthly|spend|\d+-hour|opus|sonnet) limit\b|\bhit your (\w+ ){0,3}limit\b/i;

export function usedUp({ title }: ClientName, said: string, wait: number | undefined): Failure {
  return {
    class: 'quota',
    code: 'QUOTA_EXCEEDED',
    message: `The quota of ${title} is used up: ${said}`,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    hint: 'The run continues when the quota is renewed.',
  };
}

export const gaveUp = ({ title, secrets }: ClientName, words: string): Failure => ({
  class: 'crash',
  code: 'CLIENT_FAILED',
  message: `${title} gave up: ${quote(words, secrets)}`,
});

export const saidNothing = ({ title }: ClientName): Failure =>
  badReply('REPLY_EMPTY', `${title} ended its turn without a word.`);

export const replyUnreadable = ({ title, secrets }: ClientName, words: string): Failure =>
  badReply('REPLY_MALFORMED', `${title} could not read its model's reply: ${quote(words, secrets)}`);

const badReply = (code: FaultCode, message: string): Failure => ({ class: 'bad-reply', code, message });

export function endpointUnreachable({ title, host, secrets }: ClientName, words: string): Failure {
  return {
    class: 'network',
    code: 'ENDPOINT_UNREACHABLE',
    message: `${title} cannot reach ${host}: ${quote(words, secrets)}`,
    hint: 'Check the base URL of the client, and that something listens there.',
  };
}

/** A failed turn with its cost. */
export const failedTurn = (failure: Failure, usage: Usage | null, costUsd: CostUsd): CallFailure =>
  usage === null ? failed(failure) : { ...failed(failure), spent: { usage, costUsd } };

/** A successful turn of any client. */
export const answeredTurn = ({ denials, ...answer }: TurnAnswer): CallAnswer => ({
  kind: 'answered',
  toolCalls: [],
  ...answer,
  ...(denials.length === 0 ? {} : { denials: [...denials] }),
});

type TurnAnswer = Pick<CallAnswer, 'content' | 'usage' | 'costUsd' | 'model'> & Pick<Required<CallAnswer>, 'denials'>;

/** A turn of any client that is over. */
export interface EndedTurn {
  readonly end: ClientEnd;
  readonly limits: ClientLimits;
  /** Its reply comes in another way, so that its last words may be none. */
  readonly hasDesk: boolean;
  readonly name: ClientName;
  readonly price: Price | undefined;
}
