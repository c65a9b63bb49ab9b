import { constants, homedir } from 'node:os';
import { durationText } from '../../core/amount-text.ts';
import { isFault } from '../../core/fault.ts';
import type { Failure } from '../../core/outcome.ts';
import { faultToMend } from '../../workspace/fault-to-mend.ts';
import { GRACE_MS, WENT_ON, type ClientLimits } from '../client-port.ts';
import { quote } from '../model/error-signs.ts';
import { failureFromSigns, type ErrorSigns } from '../model/http-failure.ts';
import type { CallFailure } from '../port.ts';
import type { ClientEnd } from './process/client-process.ts';
import { resetAfterMs } from './reset-time.ts';

/** What the sentences about a client say of it. */
export interface ClientName {
  /** As people call it. */
  readonly title: string;
  /** Where its model is. */
  readonly host: string;
  readonly model: string;
  /** How one logs in. */
  readonly loginHint: string;
  /** What must never stand in a message. */
  readonly secrets: readonly string[];
}

export const failed = (failure: Failure): CallFailure => ({ kind: 'failed', failure });

export function cancelledTurn({ title }: ClientName): Failure {
  return { class: 'cancelled', code: 'CALL_CANCELLED', message: `The turn of ${title} was cancelled.` };
}

export function programMissing({ title }: ClientName, program: string): Failure {
  return {
    class: 'config',
    code: 'CLIENT_NOT_FOUND',
    message: `The program of ${title} is not there: ${program}`,
    hint: 'Install it, or say in the settings where it is; `troupe doctor` tells what was found.',
  };
}

/**
 * Whatever was thrown on the way to the start: a sandbox that cannot be had, a folder that cannot be made. What a person has
 * to mend for everybody, such as a full disk, is thrown on: the run stands still until then.
 */
export function notStarted({ title }: ClientName, error: unknown): Failure {
  const toMend = faultToMend(error, placeOf(error));
  if (toMend !== null) throw toMend;
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
    message: `${title} could not connect to the place where it hands in its reply.`,
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
        message: `${name.title} went on for ${durationText(ms.graceMs ?? GRACE_MS)} after its turn was over, so it was ended.`,
      };
    case 'lingering':
      return crash(name, 'CLIENT_DID_NOT_END', { what: 'said that it was done, but did not end' });
    default:
      return null;
  }
}

/** It ended without saying how its turn came out. */
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

function crash({ title, secrets }: ClientName, code: string, { what, errors = '' }: Crash): Failure {
  const said = errors.trim() === '' ? '.' : `: ${quote(errors.trim().slice(-LONGEST_TAIL), secrets)}`;
  return { class: 'crash', code, message: `${title} ${what}${said}` };
}

interface Crash {
  readonly what: string;
  readonly errors?: string;
}

const LONGEST_TAIL = 290;

/** What the model's endpoint, or the client in its name, gave as the reason; null when it fits no known kind. */
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
    message: `The allowance of ${title} is used up: ${said}`,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    hint: 'The run goes on when the allowance is there again.',
  };
}
