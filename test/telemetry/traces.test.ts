import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { runId } from '../../src/core/model/ids.ts';
import { TreeReader } from '../../src/app/runs/tree-reader.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { TraceFold } from '../../src/telemetry/run-spans.ts';
import { traceIdOf } from '../../src/telemetry/span.ts';
import { writingProject } from '../cli/file-projects.ts';
import { ASK_THEN_WORK, scriptedProject } from '../cli/projects.ts';
import { jsonLines, type Sandbox } from '../cli/sandbox.ts';
import { requestProblems } from './otlp-schema.ts';
import { startReceiver, wayTo, type Receiver } from './otlp-receiver.ts';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const runOf = (stdout: string): string => String(jsonLines(stdout)[0]?.['run']);

/** The spans that the journal of a run says there are. */
async function folded({ home }: Sandbox, run: string): Promise<readonly string[]> {
  const journal = await openSqliteJournal({ home });
  try {
    const fold = new TraceFold({ traceId: traceIdOf(run), parentSpanId: null, hasContent: false });
    const records = await new TreeReader(journal, runId(run)).readOn();
    return records.flatMap((one) => fold.take(one.run, one.record)).map(({ spanId }) => spanId);
  } finally {
    await journal.close();
  }
}

/** All of it is part of what the environment named. */
function expectParent({ spans }: Receiver): void {
  const [traceId, spanId] = PARENT.split('-').slice(1);
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(spans.find(({ name }) => name.startsWith('invoke_workflow'))?.parentSpanId).toBe(spanId);
}

const idsOf = ({ spans }: Receiver): readonly string[] => spans.map(({ spanId }) => spanId);

test('[U9] a run is sent to a collector: run, state, turn, model calls and tools, each under its parent', async () => {
  const receiver = await startReceiver();
  const sandbox = writingProject();
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/` };
  const result = await sandbox.troupe(['run', 'two_steps', 'My secret wish', '--json'], { environment });
  expect({ code: result.code, stderr: result.stderr, problems: receiver.problems }).toMatchObject({
    code: 0,
    problems: [],
  });
  const run = runOf(result.stdout);
  expect(receiver.spans.map((span) => wayTo(span, receiver.spans)).toSorted()).toEqual(
    [
      'invoke_workflow two_steps',
      ...['start', 'again'].flatMap((state) => {
        const turn = `invoke_workflow two_steps > state ${state} > invoke_agent worker`;
        const tools = state === 'start' ? ['write_file', 'edit_file'] : ['write_file'];
        return [
          `invoke_workflow two_steps > state ${state}`,
          turn,
          `${turn} > chat base`,
          `${turn} > chat base`,
          ...tools.map((tool) => `${turn} > execute_tool ${tool}`),
        ];
      }),
      'invoke_workflow two_steps > state stop',
    ].toSorted(),
  );
  expect([...new Set(receiver.spans.map(({ traceId }) => traceId))]).toEqual([traceIdOf(run)]);
  expect(idsOf(receiver).toSorted()).toEqual((await folded(sandbox, run)).toSorted());
  expect(receiver.resources[0]).toMatchObject({ 'service.name': 'troupe' });
});

test('[U9] spans bear the names of the conventions for generative AI, and nothing that was said', async () => {
  const receiver = await startReceiver();
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  await writingProject().troupe(['run', 'two_steps', 'My secret wish'], { environment });
  const one = (name: string): unknown => receiver.spans.find((span) => span.name === name);
  expect(one('invoke_workflow two_steps')).toMatchObject({
    kind: 1,
    attributes: {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': 'two_steps',
      'troupe.outcome': 'ok',
    },
  });
  expect(one('invoke_agent worker')).toMatchObject({
    kind: 1,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'worker',
      'gen_ai.provider.name': '_OTHER',
    },
  });
  expect(one('chat base')).toMatchObject({
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': '_OTHER',
      'gen_ai.request.model': 'base',
      'gen_ai.response.model': 'base',
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
    },
  });
  expect(one('execute_tool write_file')).toMatchObject({
    kind: 1,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'write_file',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': expect.any(String),
      'gen_ai.agent.name': 'worker',
    },
  });
  for (const said of ['secret wish', 'made by the run', 'Written.', 'made.txt']) {
    expect(receiver.texts.join('\n')).not.toContain(said);
  }
});

test('[U9] content is sent only where the user wants it', async () => {
  const receiver = await startReceiver();
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
  };
  await writingProject().troupe(['run', 'two_steps', 'My secret wish'], { environment });
  expect(receiver.problems).toEqual([]);
  const attribute = (name: string, key: string): string =>
    String(receiver.spans.find((span) => span.name === name && key in span.attributes)?.attributes[key]);
  expect(JSON.parse(attribute('invoke_agent worker', 'gen_ai.input.messages'))).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'My secret wish' }] },
  ]);
  expect(JSON.parse(attribute('chat base', 'gen_ai.output.messages'))).toMatchObject([
    { role: 'assistant', parts: [{ type: 'tool_call', name: 'write_file' }, { type: 'tool_call' }] },
  ]);
  expect(JSON.parse(attribute('execute_tool write_file', 'gen_ai.tool.call.arguments'))).toMatchObject({
    path: 'src/made.txt',
  });
});

test('[U9] headers, names, attributes, compression and the parent are taken from the environment', async () => {
  const receiver = await startReceiver();
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9/none',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,x-other=c',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=ignored,team=blue%2Fgreen',
    OTEL_SERVICE_NAME: 'our-agents',
    TRACEPARENT: PARENT,
  };
  await scriptedProject().troupe(['run', 'two_steps', 'x'], { environment });
  expect(receiver.problems).toEqual([]);
  expect(receiver.headers[0]).toMatchObject({ 'x-key': 'a b', 'x-other': 'c', 'content-encoding': 'gzip' });
  expect(receiver.resources[0]).toMatchObject({ 'service.name': 'our-agents', team: 'blue/green' });
  expectParent(receiver);
});

test.each([
  ['OTEL_SDK_DISABLED', 'true'],
  ['OTEL_TRACES_EXPORTER', 'none'],
  ['TRACEPARENT', PARENT.replace(/01$/, '00')],
])('[U9] nothing is sent with %s=%s', async (name, value) => {
  const receiver = await startReceiver();
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, [name]: value };
  expect(await scriptedProject().troupe(['run', 'two_steps', 'x'], { environment })).toMatchObject({ code: 0 });
  expect(receiver.requests).toBe(0);
});

test('[U9] a run that goes on in another process goes on in the same trace, each span sent once', async () => {
  const receiver = await startReceiver();
  const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  const asked = await sandbox.troupe(['run', 'asking.ts', '--json', '--no-input'], {
    environment: { ...environment, TRACEPARENT: PARENT },
  });
  expect(asked.code).toBe(3);
  expect(receiver.spans.some(({ name }) => name.startsWith('invoke_workflow'))).toBe(false);
  expect(await sandbox.troupe(['answer', 'last', 'red'], { environment })).toMatchObject({ code: 0 });
  expect(receiver.problems).toEqual([]);
  expect(idsOf(receiver).toSorted()).toEqual((await folded(sandbox, runOf(asked.stdout))).toSorted());
  expectParent(receiver);
});

test('[U9] [L6] spans that a killed process could not send are sent by the next; the parent stays', async () => {
  const receiver = await startReceiver();
  const sandbox = writingProject();
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  const { child, lines, ended } = sandbox.start(['run', 'two_steps', 'x', '--json'], {
    environment: { ...environment, TRACEPARENT: PARENT },
  });
  let run = '';
  for (let count = 0; count < 9; count += 1) run = runOf(String((await lines.next()).value));
  child.kill('SIGKILL');
  await ended;
  const before = receiver.spans.length;
  expect(await sandbox.troupe(['resume', run], { environment })).toMatchObject({ code: 0 });
  expect(receiver.problems).toEqual([]);
  expect(receiver.spans.length).toBeGreaterThan(before);
  expect([...new Set(idsOf(receiver))].toSorted()).toEqual((await folded(sandbox, run)).toSorted());
  expectParent(receiver);
});

/** An address without a listener. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

test.each([
  ['is not there', null, 'ECONNREFUSED'],
  ['never answers', 'silent', 'it did not answer in time'],
  ['refuses', 400, 'it answers 400'],
  ['leads elsewhere', 302, 'it answers 302'],
  ['is overloaded for ever', 503, 'it answers 503'],
])(
  '[U9] a collector that %s costs one warning and nothing else',
  async (_title, how, warning) => {
    const receiver = await startReceiver((response) => {
      if (typeof how === 'number') response.writeHead(how, { location: 'http://127.0.0.1:9/' }).end();
      return how !== null;
    });
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: how === null ? await closedAddress() : receiver.url };
    const result = await scriptedProject().troupe(['run', 'two_steps', 'x'], { environment });
    expect(result).toMatchObject({ code: 0, stdout: 'Done.\n' });
    const warnings = result.stderr.split('\n').filter((line) => line.startsWith('troupe:'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^troupe: traces do not all arrive at 127\.0\.0\.1:\d+: .*; the run is not affected$/);
    expect(warnings[0]).toContain(warning);
  },
  60_000,
);

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
])('[U9] settings that cannot be followed are reported once: %s=%s', async (name, value) => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', [name]: value };
  const result = await scriptedProject().troupe(['run', 'two_steps', 'x'], { environment });
  expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('troupe: no traces are sent: ') });
});

test('the receiver takes nothing that is not exactly as the schema has it', () => {
  const span = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    name: 'n',
    kind: 1,
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
  };
  const problems = (change: object): readonly string[] =>
    requestProblems({ resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, ...change }] }] }] });
  expect(problems({})).toEqual([]);
  for (const change of [
    { traceId: 'x' },
    { spanId: '0'.repeat(16) },
    { kind: 'SPAN_KIND_CLIENT' },
    { startTimeUnixNano: 1 },
    { endTimeUnixNano: '0' },
    { trace_id: 'a' },
    { attributes: [{ key: 'a', value: { intValue: 1 } }] },
    {
      attributes: [
        { key: 'a', value: { stringValue: '' } },
        { key: 'a', value: { boolValue: true } },
      ],
    },
    { status: { code: 'ERROR' } },
    { parentSpanId: '' },
  ])
    expect(problems(change)).not.toEqual([]);
});
