import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Attributes, AttributeValue, Span } from './span.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';

/** The sender: the same for all spans of a process. */
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
    // Success is left unset, as the conventions say.
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

/** The result of a request. `later`: the collector is unavailable or busy; the same request may be sent again. */
export type Sent =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'later'; readonly why: string; readonly afterMs: number | null };

/** One request over HTTP. Never throws, and never reveals a header or the address: both may hold a key. */
export async function sendSpans(
  spans: readonly Span[],
  to: { readonly settings: TelemetrySettings; readonly resource: Resource; readonly signal: AbortSignal },
): Promise<Sent> {
  const { settings, resource, signal } = to;
  try {
    const text = JSON.stringify(otlpRequest(spans, resource));
    const response = await fetch(settings.url, {
      method: 'POST',
      headers: {
        ...settings.headers,
        'content-type': 'application/json',
        ...(settings.isCompressed ? { 'content-encoding': 'gzip' } : {}),
      },
      body: settings.isCompressed ? await promisify(gzip)(text) : text,
      // Following a redirect would send the keys elsewhere.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)]),
    });
    return await answered(response);
  } catch (error) {
    return failed(error);
  }
}

async function answered(response: Response): Promise<Sent> {
  if (response.ok) return rejection(await beginning(response));
  await response.body?.cancel();
  const why = `it answers ${response.status}`;
  if (!AGAIN.has(response.status)) return { kind: 'refused', why };
  return { kind: 'later', why, afterMs: retryAfter(response.headers.get('retry-after')) };
}

/** Other answers mean that the same request would fail again. */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** It accepted the request, but perhaps not all of it. */
function rejection(text: string): Sent {
  try {
    const { partialSuccess } = JSON.parse(text) as { readonly partialSuccess?: { readonly rejectedSpans?: unknown } };
    const count = Number(partialSuccess?.rejectedSpans ?? 0);
    return count > 0 ? { kind: 'refused', why: `it refused ${count} spans` } : { kind: 'taken' };
  } catch {
    return { kind: 'taken' };
  }
}

const LONGEST_ANSWER = 65_536;

async function beginning(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    parts.push(part);
    size += part.length;
    if (size > LONGEST_ANSWER) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

function retryAfter(text: string | null): number | null {
  const seconds = Number(text?.trim() === '' ? Number.NaN : (text ?? Number.NaN));
  return Number.isFinite(seconds) && seconds >= 0 ? 1000 * seconds : null;
}

/** By a code that a person can look up; the text of such an error may quote what was sent. */
function failed(error: unknown): Sent {
  if (!(error instanceof Error)) return { kind: 'refused', why: 'it could not be asked' };
  if (error.name === 'TimeoutError' || error.name === 'AbortError') {
    return { kind: 'later', why: 'it did not answer in time', afterMs: null };
  }
  const code = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : null;
  return code === null
    ? { kind: 'refused', why: 'no request can be made of the OTEL_EXPORTER_OTLP variables' }
    : { kind: 'later', why: code, afterMs: null };
}
