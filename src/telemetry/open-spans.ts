import type { Failure, Outcome } from '../core/outcome.ts';
import type { Attributes, Span, SpanError } from './span.ts';

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
  /** What the root run is a part of. */
  readonly parentSpanId: string | null;
  /** Prompts, answers, arguments and results are told too. */
  readonly hasContent: boolean;
}

export function endSpan({ traceId }: Trace, open: OpenSpan, { at, attributes = {}, error = null }: SpanEnd): Span {
  return { ...open, traceId, endedAt: at, attributes: { ...open.attributes, ...attributes }, error };
}

/** How something came out, as attributes and as an error where it is one. */
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
