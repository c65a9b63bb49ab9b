import type { FaultCode } from '../codes/codes.ts';
import type { ProblemCode } from '../codes/problem-codes.ts';

/**
 * A fault is what a person must act on: bad usage, a bad file, a damaged journal.
 * Failures of the work itself are values (see `Failure`) and are journaled, never thrown.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly hint: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.facts = options.facts ?? {};
    this.problems = options.problems ?? [];
  }
}

export interface FaultOptions {
  readonly hint?: string;
  readonly cause?: unknown;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly problems?: readonly Problem[];
}

/** A place in the author's file; lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One mistake in a file, in the author's terms. A parser returns all of them at once. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly severity: 'error' | 'warning';
  readonly file?: string;
  readonly at?: Position;
  /** Where in the document, such as `states[2].transition[0].condition`. */
  readonly path?: string;
  readonly hint?: string;
}

/** A problem that can be thrown by itself. */
export interface FaultProblem extends Problem {
  readonly code: FaultCode;
}

export function isFault(value: unknown): value is Fault {
  return value instanceof Fault;
}

export const isFaultOf = (value: unknown, code: FaultCode): value is Fault => isFault(value) && value.code === code;

/** Ends a `switch` over a closed union: the compiler proves that no case is missing. */
export function unreachable(value: never): never {
  throw new Fault('INTERNAL', `A case was not handled: ${JSON.stringify(value)}`, {
    hint: 'This is a defect of Troupe. Please report it with the run.',
  });
}
