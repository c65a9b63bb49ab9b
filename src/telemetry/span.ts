/** Something that took time, as it is told to a collector of traces. Times in milliseconds since the epoch. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** `client`: a request to somebody else. */
  readonly kind: 'internal' | 'client';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  /** What people look up; null where it came out well. */
  readonly error: SpanError | null;
}

export interface SpanError {
  readonly code: string;
  /** Only where content may be told. */
  readonly message?: string;
}

export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** A whole number is told as such; what may be a part of one is named a double, so that a name has one type. */
export type AttributeValue = string | number | boolean | { readonly double: number };
