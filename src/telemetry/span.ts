import type { Failure, Outcome } from '../core/model/outcome.ts';
import { createHash } from 'node:crypto';

/** Work that took time, as sent to a collector of traces. Times in milliseconds since the epoch. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** `client`: a request to another system. */
  readonly kind: 'internal' | 'client';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  /** The code that people look up; null on success. */
  readonly error: SpanError | null;
}

interface SpanError {
  readonly code: string;
  /** Only if content may be sent. */
  readonly message?: string;
}

export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Whole numbers are sent as such; a value that may be fractional is marked as a double, so that a name has one type. */
export type AttributeValue = string | number | boolean | { readonly double: number };

export interface OpenSpan {
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: Span['kind'];
  readonly startedAt: number;
  readonly attributes: Attributes;
}

export interface SpanEnd {
  readonly at: number;
  readonly attributes?: Attributes;
  readonly error?: SpanError | null;
}

export interface Trace {
  readonly traceId: string;
  /** The span that the root run is a part of. */
  readonly parentSpanId: string | null;
  /** Prompts, answers, arguments and results are sent too. */
  readonly hasContent: boolean;
}

export function endSpan({ traceId }: Trace, open: OpenSpan, { at, attributes = {}, error = null }: SpanEnd): Span {
  return { ...open, traceId, endedAt: at, attributes: { ...open.attributes, ...attributes }, error };
}

/** A result, as attributes and as an error if it is one. */
export function cameOut(
  { hasContent }: Trace,
  { outcome, failure }: { readonly outcome: Outcome; readonly failure: Failure | null },
): Pick<SpanEnd, 'attributes' | 'error'> {
  const attributes = { 'troupe.outcome': outcome };
  if (GOOD.has(outcome)) return { attributes };
  const message = hasContent && failure !== null ? { message: failure.message } : {};
  return { attributes, error: { code: failure?.code ?? outcome, ...message } };
}

const GOOD: ReadonlySet<Outcome> = new Set(['ok', 'partial', 'skipped']);

/** Ids are derived from the journal, so the same journal gives the same trace, whichever process exports it and however often. */
export const traceIdOf = (root: string): string => hex(`trace\n${root}`, TRACE_BYTES);

/** `what`: which of the spans that begin with this record. */
export const spanIdOf = (run: string, seq: number, what: string): string => hex(`${run}\n${seq}\n${what}`, SPAN_BYTES);

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

function hex(text: string, bytes: number): string {
  const id = createHash('sha256')
    .update(`troupe\n${text}`)
    .digest('hex')
    .slice(0, 2 * bytes);
  // All zeros would mean none.
  return /^0+$/.test(id) ? `${id.slice(1)}1` : id;
}
