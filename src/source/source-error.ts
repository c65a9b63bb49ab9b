import type { ProblemCode } from '../core/codes/problem-codes.ts';
/** Ends the reading of a text at the first place where it cannot continue; `read-document` turns it into a problem. */
export class SourceError extends Error {
  readonly code: ProblemCode;
  readonly offset: number;
  readonly hint: string | undefined;

  constructor(code: ProblemCode, message: string, options: { readonly offset: number; readonly hint?: string }) {
    super(message);
    this.code = code;
    this.offset = options.offset;
    this.hint = options.hint;
  }
}

/** The limits of a file. Files are untrusted: every limit is checked before anything expensive happens. */
export const MAX_SOURCE_BYTES = 1_000_000;
export const MAX_DEPTH = 64;
export const MAX_ALIASES = 100;
export const MAX_NODES = 50_000;

/** Keys that would reach an object's prototype if a record were ever merged carelessly. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
