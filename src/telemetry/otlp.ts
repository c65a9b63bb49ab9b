import type { Attributes, AttributeValue, Span } from './span.ts';

/** Who tells: the same for all spans of a process. */
export interface Resource {
  readonly attributes: Attributes;
  readonly version: string;
}

/** `ExportTraceServiceRequest` in the JSON form of OTLP: ids in hex, enumerations as numbers, 64-bit numbers as text. */
export function otlpRequest(spans: readonly Span[], { attributes, version }: Resource): object {
  const scope = { name: 'troupe', version };
  return {
    resourceSpans: [
      { resource: { attributes: keyValues(attributes) }, scopeSpans: [{ scope, spans: spans.map(spanJson) }] },
    ],
  };
}

function spanJson(span: Span): object {
  const { traceId, spanId, parentSpanId, name, error } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    // Sampled.
    flags: 1,
    name: name.toWellFormed(),
    kind: KINDS[span.kind],
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(Math.max(span.startedAt, span.endedAt)),
    attributes: keyValues({ ...span.attributes, 'error.type': error?.code }),
    // What came out well is left unset, as the conventions have it.
    status: error === null ? {} : { code: ERROR, message: (error.message ?? error.code).toWellFormed() },
  };
}

const KINDS = { internal: 1, client: 3 } as const;
const ERROR = 2;

const nanoseconds = (ms: number): string => (BigInt(Math.round(ms)) * 1_000_000n).toString();

function keyValues(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key: key.toWellFormed(), value: anyValue(value) }],
  );
}

function anyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value.toWellFormed() };
  if (typeof value === 'boolean') return { boolValue: value };
  return typeof value === 'number' ? { intValue: String(Math.round(value)) } : { doubleValue: value.double };
}
