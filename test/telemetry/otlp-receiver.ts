import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { requestProblems } from './otlp-schema.ts';

/** A span as it arrived, with its attributes as plain values. */
export interface SpanReceived {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A receiver of OTLP over HTTP that takes nothing which is not exactly as the schema has it. */
export interface Receiver {
  readonly url: string;
  readonly spans: SpanReceived[];
  readonly resources: Readonly<Record<string, unknown>>[];
  readonly headers: IncomingMessage['headers'][];
  /** The requests as they came. */
  readonly texts: string[];
  /** Everything that was wrong with any of them. */
  readonly problems: string[];
  requests: number;
}

/** `answer`: says no, or nothing, instead of taking it; true when it did. */
export async function startReceiver(
  answer: (response: ServerResponse, request: number) => boolean = () => false,
): Promise<Receiver> {
  const receiver: Receiver = { url: '', spans: [], resources: [], headers: [], texts: [], problems: [], requests: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      receiver.requests += 1;
      if (answer(response, receiver.requests)) return;
      const problems = take(receiver, request, Buffer.concat(chunks));
      receiver.problems.push(...problems);
      response.writeHead(problems.length === 0 ? 200 : 400, { 'content-type': 'application/json' });
      response.end(problems.length === 0 ? '{}' : JSON.stringify({ message: problems.join('; ') }));
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(receiver, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

function take(receiver: Receiver, request: IncomingMessage, body: Buffer): readonly string[] {
  const { method, url, headers } = request;
  if (method !== 'POST' || url !== '/v1/traces') return [`${method} ${url}: no such thing here`];
  if (headers['content-type'] !== 'application/json') return [`content-type is ${headers['content-type']}`];
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8');
  receiver.headers.push(headers);
  receiver.texts.push(text);
  const sent = JSON.parse(text) as Sent;
  const problems = requestProblems(sent);
  if (problems.length > 0) return problems;
  for (const { resource, scopeSpans } of sent.resourceSpans) {
    receiver.resources.push(plain(resource.attributes));
    for (const { spans } of scopeSpans)
      receiver.spans.push(...spans.map((span) => ({ ...span, attributes: plain(span.attributes) })));
  }
  return [];
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<SpanReceived, 'attributes'> & { readonly attributes: readonly KeyValue[] })[];
    }[];
  }[];
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const plain = (attributes: readonly KeyValue[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      'intValue' in value ? Number(value['intValue']) : Object.values(value)[0],
    ]),
  );

/** The way from the root down to a span, by names. */
export function wayTo(span: SpanReceived, spans: readonly SpanReceived[]): string {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? span.name : `${wayTo(parent, spans)} > ${span.name}`;
}
