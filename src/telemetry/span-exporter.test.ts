import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SpanExporter, type Parcel } from './span-exporter.ts';
import type { Span } from './span.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';

const SPAN: Span = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: null,
  name: 'n',
  kind: 'internal',
  startedAt: 1,
  endedAt: 2,
  attributes: {},
  error: null,
};

const parcel = (seq: number, count = 1): Parcel => ({
  root: 'r',
  run: 'r',
  seq,
  spans: Array.from({ length: count }, () => SPAN),
});

interface Bench {
  readonly exporter: SpanExporter;
  readonly notices: string[];
  readonly done: number[];
  /** How many spans each request had. */
  readonly sizes: number[];
}

const FAST = { everyMs: 1, againMs: 1, longestMs: 5, batch: 4, mostWaiting: 10, closeMs: 200 };

async function bench(
  answer: (response: ServerResponse, request: number) => void,
  { headers = {}, closeMs = FAST.closeMs } = {},
): Promise<Bench> {
  const [notices, done, sizes]: [string[], number[], number[]] = [[], [], []];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const sent = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: unknown[] }[] }[] };
      sizes.push(sent.resourceSpans[0]?.scopeSpans[0]?.spans.length ?? 0);
      answer(response, sizes.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  const settings: TelemetrySettings = {
    url,
    headers,
    timeoutMs: 5000,
    isCompressed: false,
    resource: {},
    parent: null,
    hasContent: false,
  };
  const exporter = new SpanExporter({
    settings,
    resource: { attributes: {}, version: '1' },
    tell: (sentence) => notices.push(sentence),
    onDone: async (parcels) => void done.push(...parcels.map(({ seq }) => seq)),
    pace: { ...FAST, closeMs },
  });
  onTestFinished(async () => {
    await exporter.close();
    server.closeAllConnections();
    server.close();
  });
  return { exporter, notices, done, sizes };
}

const take = (response: ServerResponse): void => void response.end('{}');

test('[U9] spans are sent by themselves, in order, what one record ended in one request', async () => {
  const { exporter, done, sizes, notices } = await bench(take);
  for (const [seq, count] of [1, 2, 3, 1].entries()) exporter.add(parcel(seq, count));
  await vi.waitUntil(() => done.length === 4, 30_000);
  expect(done).toEqual([0, 1, 2, 3]);
  expect(sizes).toEqual([3, 4]);
  expect(notices).toEqual([]);
});

test('[U9] a collector that has too much to do is asked again, and nothing is reported', async () => {
  const { exporter, done, notices } = await bench((response, request) => {
    if (request < 3) response.writeHead(503, { 'retry-after': '0' }).end();
    else take(response);
  });
  exporter.add(parcel(1));
  await vi.waitUntil(() => done.length === 1, 30_000);
  expect(notices).toEqual([]);
});

test('[U9] a request that will never be taken is dropped, reported once, and the next ones are sent', async () => {
  const { exporter, done, notices } = await bench((response, request) => {
    if (request === 1) response.writeHead(413).end();
    else take(response);
  });
  exporter.add(parcel(1, 4));
  exporter.add(parcel(2));
  await vi.waitUntil(() => done.length === 2, 30_000);
  expect(notices).toEqual([expect.stringContaining('it answers 413')]);
});

test('[U9] spans that a collector refused are reported, with their number', async () => {
  const { exporter, done, notices } = await bench((response) => {
    response.end(JSON.stringify({ partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } }));
  });
  exporter.add(parcel(1, 3));
  await vi.waitUntil(() => done.length === 1, 30_000);
  expect(notices).toEqual([expect.stringContaining('it refused 2 spans')]);
});

test('[U9] spans beyond the limit are dropped; the rest arrives', async () => {
  const held: ServerResponse[] = [];
  const { exporter, done, notices } = await bench((response) => {
    held.push(response);
    if (held.length > 1) for (const one of held) take(one);
  });
  for (let seq = 1; seq <= 20; seq += 1) exporter.add(parcel(seq));
  expect(notices).toEqual([expect.stringContaining('it takes them too slowly')]);
  await vi.waitUntil(() => held.length === 1, 30_000);
  const [first] = held;
  if (first !== undefined) take(first);
  await vi.waitUntil(() => done.length === 10, 30_000);
  expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('[U9] the exit waits for the rest, but not forever', async () => {
  const ready = await bench(take, { closeMs: 30_000 });
  ready.exporter.add(parcel(1));
  await ready.exporter.close();
  expect(ready.done).toEqual([1]);
  const silent = await bench(() => undefined);
  silent.exporter.add(parcel(1));
  await silent.exporter.close();
  expect(silent.done).toEqual([]);
  expect(silent.notices).toEqual([expect.stringContaining('it did not answer in time')]);
});

test('[U9] a header that cannot be sent is reported without its value', async () => {
  const { exporter, notices } = await bench(take, { headers: { 'x-key': 'secret\nword' } });
  exporter.add(parcel(1));
  await exporter.close();
  expect(notices).toHaveLength(1);
  expect(notices.join('')).not.toContain('secret');
});
