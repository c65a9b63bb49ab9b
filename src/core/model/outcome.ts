import type { FailureCode } from '../codes/codes.ts';

/** The closed list of ways a unit of work can come out (L5). */
export const OUTCOMES = [
  'ok',
  'partial',
  'blocked',
  'failed',
  'timeout',
  'quota',
  'crashed',
  'cancelled',
  'skipped',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** A failure as data: a code to look up, a sentence, and the class that decides on retries. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly class: FailureClass;
  /** The provider asked us to wait this long. */
  readonly retryAfterMs?: number;
  readonly hint?: string;
  /** Of CONTEXT_OVERFLOW: the numbers that the endpoint named. */
  readonly overflow?: Overflow;
}

export type Overflow = {
  /** Tokens that the model takes. */
  readonly window?: number;
  /** Tokens that the request had. */
  readonly tokens?: number;
};

/** The code of a call whose request was larger than the model's window. */
export const CONTEXT_OVERFLOW = 'CONTEXT_OVERFLOW';

export const FAILURE_CLASSES = [
  'auth',
  'quota',
  'rate',
  'overload',
  'server',
  'network',
  'timeout',
  'bad-request',
  'bad-reply',
  'crash',
  'session',
  'config',
  'script',
  'limit',
  'cancelled',
  'logic',
] as const;

export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** The outcome a unit has when it ends with this failure. */
export function outcomeOf(failure: Failure): Outcome {
  switch (failure.class) {
    case 'quota':
      return 'quota';
    case 'timeout':
      return 'timeout';
    case 'crash':
      return 'crashed';
    case 'cancelled':
      return 'cancelled';
    default:
      return 'failed';
  }
}
