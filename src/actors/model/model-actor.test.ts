import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { SeenMessage } from '../../core/look/view.ts';
import { actorContract, sampleRequest, sampleRole } from '../actor.contract.ts';
import type { CallAnswer, CallReply, CallRequest } from '../port.ts';
import { parseScenario, type Scenario } from '../scripted/scenario.ts';
import { startScriptedServer, type ReceivedRequest, type ScriptedServer } from '../scripted/scripted-server.ts';
import { createModelActor } from './model-actor.ts';
import type { ModelConfig } from './model-config.ts';

const PROVIDERS = ['openai-compatible', 'openai', 'anthropic'] as const;
const KEY = 'sk-very-secret-4711';
const TOOLS = [
  { name: 'read_file', description: 'Reads.', parameters: objectSchema({ path: { type: 'string' } }) },
  { name: 'list', description: 'Lists.', parameters: objectSchema({}) },
];

const scenario = scenarioOf([
  { when: { contains: 'status 401' }, reply: { status: 401, message: `Incorrect API key: ${KEY}` } },
  { when: { contains: 'status 403' }, reply: { status: 403 } },
  { when: { contains: 'status 402' }, reply: { status: 402 } },
  { when: { contains: 'spent' }, reply: { status: 429, error: 'insufficient_quota', message: 'No money.' } },
  { when: { contains: 'status 429' }, reply: { status: 429, retry_after: 7 } },
  { when: { contains: 'status 529' }, reply: { status: 529 } },
  { when: { contains: 'status 500' }, reply: { status: 500 } },
  { when: { contains: 'status 503' }, reply: { status: 503 } },
  { when: { contains: 'status 404' }, reply: { status: 404, message: 'No such model.' } },
  { when: { contains: 'status 400' }, reply: { status: 400, message: `You sent ${KEY}.` } },
  { when: { contains: 'overloaded' }, reply: { overloaded: true } },
  { when: { contains: 'stream error' }, reply: { stream_error: 'overloaded_error' } },
  { when: { contains: 'cut' }, reply: { cut: true } },
  { when: { contains: 'hang' }, reply: { hang: true } },
  { when: { contains: 'malformed' }, reply: { malformed: true } },
  { when: { contains: 'empty' }, reply: { empty: true } },
  { when: { contains: 'length' }, reply: { say: 'Half a', finish: 'length' } },
  { when: { contains: 'filtered' }, reply: { say: 'Half a', finish: 'filtered' } },
  { when: { contains: 'bad arguments' }, reply: { bad_arguments: true } },
  {
    when: { contains: 'cached' },
    reply: { say: 'Hi.', usage: { input: 1000, output: 100, cache_read: 600, cache_write: 0 } },
  },
  { when: { contains: 'stream' }, reply: { say: 'One two three four.', chunk: 4 } },
  {
    when: { contains: 'think' },
    steps: [{ think: 'Let me see.', say: 'I look.', tools: [{ name: 'list' }] }, 'Seen.'],
  },
  {
    when: { contains: 'tools' },
    reply: { say: 'Looking.', tools: [{ name: 'read_file', arguments: { path: 'ä.ts' } }, { name: 'list' }] },
  },
  { when: { role: 'coder', agent: 'ada & co', state: 'größe', visit: 2, call: 3, attempt: 4 }, reply: 'Matched.' },
]);

/** The beginning of a stream in each wire format, up to its first words. */
const FIRST_WORDS = {
  'openai-compatible': 'data: {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n',
  openai: [
    '{"type":"response.created","response":{"id":"r","created_at":1,"model":"m"}}',
    '{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"i"}}',
    '{"type":"response.output_text.delta","item_id":"i","delta":"Hel"}',
  ]
    .map((data) => `data: ${data}\n\n`)
    .join(''),
  anthropic: [
    '{"type":"message_start","message":{"id":"1","model":"m","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}',
  ]
    .map((data) => `data: ${data}\n\n`)
    .join(''),
};

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer({ scenario });
});
afterAll(async () => {
  await server.close();
});

describe.each(PROVIDERS)('a model spoken to as %s', (provider) => {
  const config = (change: Partial<ModelConfig> = {}): ModelConfig => ({
    name: 'stub',
    provider,
    baseUrl: server.url,
    model: 'stub-1',
    apiKey: KEY,
    ...change,
  });
  const call = async (request: CallRequest, change: Partial<ModelConfig> = {}): Promise<CallReply> =>
    await createModelActor(config(change)).call(request, { signal: new AbortController().signal });
  const ask = async (text: string, change: Partial<ModelConfig> = {}): Promise<CallReply> =>
    await call(asking(text), change);

  actorContract(`model, ${provider}`, async () => {
    const under = await startScriptedServer();
    const hangs = await hangingServer();
    const at = (baseUrl: string) => createModelActor({ name: 'stub', provider, baseUrl, model: 'stub-1' });
    return {
      answering: at(under.url),
      failing: at(`${under.url}/nowhere`),
      hanging: { actor: at(hangs.server.url), underWay: hangs.arrived, gone: hangs.closed },
      close: async () => {
        await under.close();
        await hangs.server.close();
      },
    };
  });

  test('[U4] hello comes back with its words, its tokens and its model', async () => {
    expect(await ask('Say hello.')).toMatchObject({
      kind: 'answered',
      content: 'Done: Say hello.',
      toolCalls: [],
      usage: { inputTokens: expect.any(Number), outputTokens: 4, calls: 1 },
      model: 'stub-1',
    });
  });

  test('[U4] text arrives piece by piece', async () => {
    const deltas: string[] = [];
    const actor = createModelActor(config());
    await actor.call(asking('stream'), { signal: new AbortController().signal, onText: (delta) => deltas.push(delta) });
    expect(deltas).toEqual(['One ', 'two ', 'thre', 'e fo', 'ur.']);
  });

  test('[SM4] parallel tool calls, their results and the answer make one round trip', async () => {
    const first = answered(await ask('Use the tools.'));
    expect(first.content).toBe('Looking.');
    expect(first.toolCalls.map(({ name, arguments: value }) => [name, value])).toEqual([
      ['read_file', { path: 'ä.ts' }],
      ['list', {}],
    ]);
    expect(new Set(first.toolCalls.map((toolCall) => toolCall.id)).size).toBe(2);
    const results: SeenMessage[] = first.toolCalls.map((toolCall, index) => ({
      role: 'tool',
      content: index === 0 ? 'const a = 1;' : 'No such folder.',
      toolCallId: toolCall.id,
      toolName: toolCall.name,
      ...(index === 0 ? {} : { isError: true }),
    }));
    const second = answered(await call(asking('Use the tools.', [spoken(first), ...results])));
    expect(second.content).toBe('Done.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('const a = 1;');
  });

  test('[SM7] a structured reply comes as the call of its parsing tool', async () => {
    const parameters = objectSchema({ improvement_needed: { type: 'boolean' }, approved: { type: 'boolean' } });
    const tool = { name: 'review_work', description: 'The verdict.', parameters };
    const role = { ...sampleRole, parsingTools: [tool] };
    const reply = answered(await call(sampleRequest({ role, tools: [...TOOLS, tool] })));
    expect(reply.toolCalls).toMatchObject([
      { name: 'review_work', arguments: { improvement_needed: false, approved: true } },
    ]);
  });

  test('[U4] reasoning is kept as meta and sent back with its signature', async () => {
    const first = answered(await ask('Please think.'));
    expect(JSON.parse(JSON.stringify(first.meta))).toEqual(first.meta);
    const result: SeenMessage = { role: 'tool', content: 'a b c', toolCallId: first.toolCalls[0]?.id ?? '' };
    const again = asking('Please think.', [spoken(first), result]);
    expect(answered(await call(again)).content).toBe('Seen.');
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect(sent).toContain('Let me see.');
    const seal = { openai: 'sealed-', anthropic: 'signed-', 'openai-compatible': 'reasoning_content' }[provider];
    expect(sent).toContain(seal);
    // Another model could not read it.
    expect(answered(await call(again, { model: 'stub-2' })).content).toBe('Seen.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('Let me see.');
  });

  test('[U4] usage tells cached tokens apart, and they have their own price', async () => {
    const price = { input: 10, output: 50, cacheRead: 1 };
    const reply = answered(await ask('Was it cached?', { price }));
    expect(reply.usage).toEqual({
      inputTokens: 1000,
      outputTokens: 100,
      cacheReadTokens: 600,
      cacheWriteTokens: 0,
      calls: 1,
    });
    expect(reply.costUsd).toBeCloseTo((400 * 10 + 600 * 1 + 100 * 50) / 1e6, 12);
  });

  test('[U4] a model without a price costs an unknown amount, not nothing', async () => {
    expect(answered(await ask('hello')).costUsd).toBeNull();
  });

  test.each([
    ['status 401', 'auth', 'AUTH_FAILED'],
    ['status 403', 'auth', 'AUTH_FAILED'],
    ['status 402', 'quota', 'QUOTA_EXCEEDED'],
    ['spent', 'quota', 'QUOTA_EXCEEDED'],
    ['status 529', 'overload', 'ENDPOINT_OVERLOADED'],
    ['overloaded', 'overload', 'ENDPOINT_OVERLOADED'],
    ['stream error', 'overload', 'ENDPOINT_OVERLOADED'],
    ['status 500', 'server', 'ENDPOINT_FAILED'],
    ['status 503', 'server', 'ENDPOINT_FAILED'],
    ['status 404', 'bad-request', 'REQUEST_REFUSED'],
    ['status 400', 'bad-request', 'REQUEST_REFUSED'],
    ['cut', 'network', 'STREAM_CUT'],
    ['malformed', 'bad-reply', 'REPLY_MALFORMED'],
    ['empty', 'bad-reply', 'REPLY_EMPTY'],
    ['length', 'bad-reply', 'REPLY_TRUNCATED'],
    ['filtered', 'bad-request', 'REPLY_FILTERED'],
  ])('[L3] %s is reported as %s, %s, naming model and host but not the key', async (text, failureClass, code) => {
    const failure = failed(await ask(text));
    expect(failure).toMatchObject({ class: failureClass, code });
    expect(failure.message).toContain('stub-1');
    expect(failure.message).toContain(`127.0.0.1:${server.port}`);
    expect(JSON.stringify(failure)).not.toContain(KEY);
    expect(failure.retryAfterMs).toBeUndefined();
  });

  test('[A3] a reply that was cut off is paid for all the same', async () => {
    const reply = await ask('length');
    expect(reply).toMatchObject({ kind: 'failed', spent: { usage: { calls: 1 } } });
    expect(reply.kind === 'failed' && reply.spent?.usage.inputTokens).toBeGreaterThan(0);
  });

  test('[L3] a rate limit says how long to wait', async () => {
    expect(failed(await ask('status 429'))).toMatchObject({ class: 'rate', code: 'RATE_LIMITED', retryAfterMs: 7000 });
  });

  test('[U4] nothing is tried again here: one call is one request', async () => {
    const before = server.requests.length;
    await ask('status 500');
    expect(server.requests.length).toBe(before + 1);
  });

  test('[SM7] arguments that are not JSON are kept and reported by call', async () => {
    const reply = answered(await call({ ...asking('bad arguments'), tools: TOOLS }));
    const id = reply.toolCalls[0]?.id ?? '';
    expect(reply.toolCalls).toMatchObject([{ name: 'read_file', arguments: '{"broken": ' }]);
    expect(reply.malformed).toEqual({ [id]: expect.stringContaining('not JSON') });
    const result: SeenMessage = { role: 'tool', content: 'Not JSON.', toolCallId: id, isError: true };
    expect(answered(await call(asking('So?', [spoken(reply), result]))).content).toBe('Done.');
  });

  test('[L3] a call that takes too long is reported as CALL_TIMEOUT', async () => {
    const failure = failed(await ask('hang', { requestTimeoutMs: 50 }));
    expect(failure).toMatchObject({ class: 'timeout', code: 'CALL_TIMEOUT' });
    expect(failure.message).toContain('50 ms');
  });

  test('[A2] a stream that stalls after its first words is stopped by the signal, and its socket closes', async () => {
    const closed = Promise.withResolvers<void>();
    const opening = FIRST_WORDS[provider];
    const baseUrl = await rawServer((_, response) => {
      response.once('close', closed.resolve);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(opening);
    });
    const controller = new AbortController();
    const reply = await createModelActor(config({ baseUrl })).call(asking('hello'), {
      signal: controller.signal,
      onText: () => controller.abort(),
    });
    await closed.promise;
    expect(failed(reply)).toMatchObject({ class: 'cancelled', code: 'CALL_CANCELLED' });
  });

  test('[L3] a closed port is reported as ENDPOINT_UNREACHABLE', async () => {
    const gone = await startScriptedServer();
    await gone.close();
    const failure = failed(await ask('hello', { baseUrl: gone.url }));
    expect(failure).toMatchObject({ class: 'network', code: 'ENDPOINT_UNREACHABLE' });
    expect(failure.message).toContain('ECONNREFUSED');
  });

  test('[L3] a page instead of a stream is reported as REPLY_MALFORMED, a stream that just ends as STREAM_CUT', async () => {
    const page = await rawServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in to the hotel</h1>');
    });
    expect(failed(await ask('hello', { baseUrl: page }))).toMatchObject({
      class: 'bad-reply',
      code: 'REPLY_MALFORMED',
    });
    const stops = await rawServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
    });
    expect(failed(await ask('hello', { baseUrl: stops }))).toMatchObject({ class: 'network', code: 'STREAM_CUT' });
  });

  test('[L9] a loopback endpoint learns the caller, also in names that headers cannot hold', async () => {
    const change = { agent: 'ada & co', state: 'größe', visit: 2, call: 3, attempt: 4 };
    expect(answered(await call(sampleRequest(change))).content).toBe('Matched.');
    expect(server.requests.at(-1)?.headers).toMatchObject({
      'x-troupe-run': 'run-1',
      'x-troupe-role': 'coder',
      'x-troupe-call': '3',
      'idempotency-key': encodeURIComponent('run-1/coding.1/1'),
    });
  });

  test('[U4] a key does not follow a redirect', async () => {
    const before = server.requests.length;
    const baseUrl = await rawServer((_, response) => {
      response.writeHead(307, { location: `${server.url}/v1/elsewhere` }).end();
    });
    expect(failed(await ask('hello', { baseUrl }))).toMatchObject({ class: 'config', code: 'ENDPOINT_MOVED' });
    expect(server.requests.length).toBe(before);
  });

  test('[U4] a key with a newline behind it works, and a header that cannot be sent is not quoted', async () => {
    expect(answered(await ask('hello', { apiKey: `${KEY}\n` })).content).toBe('Done: hello');
    const failure = failed(await ask('hello', { headers: { 'x-extra': `${KEY}\n${KEY}` } }));
    expect(JSON.stringify(failure)).not.toContain(KEY);
  });

  test('[U4] temperature and the limit of tokens are sent', async () => {
    await ask('hello', { temperature: 0.5, maxOutputTokens: 77 });
    const body = JSON.stringify(server.requests.at(-1)?.body);
    expect(body).toContain('"temperature":0.5');
    expect(body).toMatch(/"max_(output_|completion_)?tokens":77/);
  });

  test('[U4] no key of the environment is used', async () => {
    const { OPENAI_API_KEY: openAi, ANTHROPIC_API_KEY: anthropic } = process.env;
    process.env['OPENAI_API_KEY'] = 'sk-from-environment';
    process.env['ANTHROPIC_API_KEY'] = 'sk-from-environment';
    let headers: unknown = null;
    const baseUrl = await rawServer((request, response) => {
      headers = request.headers;
      response.writeHead(500).end();
    });
    await createModelActor({ name: 'stub', provider, baseUrl, model: 'stub-1' }).call(sampleRequest(), {
      signal: new AbortController().signal,
    });
    restore('OPENAI_API_KEY', openAi);
    restore('ANTHROPIC_API_KEY', anthropic);
    expect(headers).toHaveProperty('idempotency-key');
    expect(JSON.stringify(headers)).not.toContain('sk-from-environment');
  });
});

test('[U4] a base URL that is missing or no address is refused with a code', () => {
  const base = { name: 'local', provider: 'openai-compatible', model: 'm' } as const;
  expect(codeOf(() => createModelActor(base))).toBe('MODEL_CONFIG');
  expect(codeOf(() => createModelActor({ ...base, baseUrl: 'localhost:11434' }))).toBe('MODEL_CONFIG');
  expect(codeOf(() => createModelActor({ ...base, baseUrl: 'https://me:pass@host.test/v1' }))).toBe('MODEL_CONFIG');
});

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const raw of servers.splice(0)) raw.close();
});

async function rawServer(listener: RequestListener): Promise<string> {
  const raw = createServer(listener);
  servers.push({
    close: () => {
      raw.close();
      raw.closeAllConnections();
    },
  });
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(raw.address() as AddressInfo).port}/v1`;
}

async function hangingServer() {
  const arrival = Promise.withResolvers<ReceivedRequest>();
  const hangs = await startScriptedServer({
    scenario: scenarioOf([{ reply: { hang: true } }]),
    log: (request) => arrival.resolve(request),
  });
  return {
    server: hangs,
    arrived: async () => void (await arrival.promise),
    closed: async () => await (await arrival.promise).closed,
  };
}

function asking(text: string, after: readonly SeenMessage[] = []): CallRequest {
  return sampleRequest({ messages: [{ role: 'user', content: text }, ...after], tools: TOOLS });
}

function spoken(answer: CallAnswer): SeenMessage {
  const { content, toolCalls, meta } = answer;
  return { role: 'assistant', content, toolCalls, ...(meta === undefined ? {} : { meta }) };
}

function answered(reply: CallReply): CallAnswer {
  if (reply.kind === 'failed') throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
  return reply;
}

function failed(reply: CallReply) {
  if (reply.kind === 'answered') throw new Error(`Answered: ${reply.content}`);
  return reply.failure;
}

function scenarioOf(value: unknown): Scenario {
  const result = parseScenario(value);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.problems));
  return result.scenario;
}

function objectSchema(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return isFault(error) ? error.code : undefined;
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
