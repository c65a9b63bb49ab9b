import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/model/json.ts';
import { parseScenario } from './scenario.ts';
import { startScriptedServer, type ScriptedServer } from './scripted-server.ts';

const parsed = parseScenario([
  { when: { contains: 'whole' }, reply: { think: 'Hm.', say: 'Both at once.', tools: twoCalls() } },
  { when: { contains: 'cut' }, reply: { cut: true } },
  { when: { contains: 'malformed' }, reply: { malformed: true } },
  { when: { contains: 'slow' }, reply: { status: 429, retry_after: 3 } },
  { when: { contains: 'late' }, reply: { say: 'Late.', delay_ms: 20 } },
  { when: { contains: 'paced' }, reply: { say: 'One two.', chunk: 4, pace_ms: 2 } },
  { when: { contains: 'at once' }, reply: { say: 'One two.', chunk: 4 } },
]);

let server: ScriptedServer;
beforeAll(async () => {
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  server = await startScriptedServer({ scenario: parsed.scenario, now: () => 1_700_000_000_999 });
});
afterAll(async () => {
  await server.close();
});

const tool = { name: 'list', description: 'Lists.', parameters: { type: 'object' } };
const FORMATS: readonly [string, (text: string) => JsonObject][] = [
  [
    'chat/completions',
    (text) => ({
      model: 'stub',
      messages: [{ role: 'user', content: text }],
      tools: [{ type: 'function', function: tool }],
      stream_options: { include_usage: true },
    }),
  ],
  ['responses', (text) => ({ model: 'stub', input: text, tools: [{ type: 'function', ...tool }], store: false })],
  [
    'messages',
    (text) => ({
      model: 'stub',
      max_tokens: 100,
      messages: [{ role: 'user', content: [{ type: 'text', text }] }],
      tools: [{ name: 'list', input_schema: { type: 'object' } }],
    }),
  ],
];

describe.each(FORMATS)('[U4] the wire format at /v1/%s', (path, bodyFor) => {
  const ask = async (text: string, change: JsonObject = {}, headers: Record<string, string> = {}) =>
    await post(path, { ...bodyFor(text), ...change }, headers);

  test('[U4] a stream has the bytes of the fixture', async () => {
    const response = await ask('the whole thing', { stream: true }, { 'idempotency-key': 'fixture' });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const fixture = new URL(`fixtures/${path.replace('/', '-')}.sse`, import.meta.url);
    expect(await response.text()).toBe(await readFile(fixture, 'utf8'));
  });

  test('[U4] a reply in one piece says the same', async () => {
    const response = await ask('the whole thing');
    const text = JSON.stringify(await response.json());
    for (const part of ['Hm.', 'Both at once.', 'call_', 'list', 'stub']) expect(text).toContain(part);
  });

  test('[L3] faults look as they do at the vendor’s', async () => {
    const limited = await ask('slow');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3']);
    expect(await limited.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
    await expect((await ask('malformed')).json()).rejects.toThrow(SyntaxError);
    await expect((await ask('cut')).text()).rejects.toThrow('terminated');
    await expect((await ask('cut', { stream: true })).text()).rejects.toThrow('terminated');
  });

  test('[U4] a paced stream is the same stream, in more time', async () => {
    const key = { 'idempotency-key': 'pace' };
    const slow = await (await ask('paced 1', { stream: true }, key)).text();
    expect(slow).toBe(await (await ask('at once', { stream: true }, key)).text());
  });

  test('[U4] a delayed answer comes', async () => {
    expect(await (await ask('late')).text()).toContain('Late.');
  });

  test('[L3] a body that is no JSON, or holds no conversation, is a bad request', async () => {
    const broken = await fetch(`${server.url}/v1/${path}`, { method: 'POST', body: '{' });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
    expect((await post(path, { model: 'stub' })).status).toBe(400);
  });
});

test('[L3] results without calls and calls without results are refused, as real endpoints do', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'list', arguments: '{}' } };
  const calling = { role: 'assistant', content: null, tool_calls: [call] };
  const user = { role: 'user', content: 'Go.' };
  const result = { role: 'tool', tool_call_id: 'c1', content: 'a' };
  const statusOf = async (messages: readonly JsonObject[]) => (await post('chat/completions', { messages })).status;
  expect(await statusOf([user, calling, result])).toBe(200);
  expect(await statusOf([user, result])).toBe(400);
  expect(await statusOf([user, calling])).toBe(400);
  expect(await statusOf([user, calling, user])).toBe(400);
});

test('[U4] a Responses conversation is read from its items, with tools inside namespaces', async () => {
  const script =
    '```troupe-script\n[{"tools":[{"name":"signal_back","arguments":{"signal":"complete"}}]},"Over: ${last}"]\n```';
  const input = [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Rules.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: script }] },
  ];
  const tools = [{ type: 'namespace', name: 'mcp__flow', tools: [{ type: 'function', name: 'signal_back' }] }];
  const first = (await (await post('responses', { model: 'm', input, tools })).json()) as { output: JsonObject[] };
  expect(first.output).toMatchObject([
    { type: 'function_call', name: 'signal_back', namespace: 'mcp__flow', arguments: '{"signal":"complete"}' },
  ]);
  const callId = first.output[0]?.['call_id'] ?? null;
  const after = [...input, ...first.output, { type: 'function_call_output', call_id: callId, output: 'Taken.' }];
  const second = await post('responses', { model: 'm', input: after, tools });
  expect(JSON.stringify(await second.json())).toContain('Over: Taken.');
});

test('[U4] notes that Claude Code puts between results are not the user speaking', async () => {
  const script = '```troupe-script\n[{"tools":[{"name":"Read"}]},"Step two."]\n```';
  const messages = [
    { role: 'user', content: [{ type: 'text', text: script }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'x' }] },
        { type: 'text', text: '<system-reminder>Mind the todo list.</system-reminder>' },
      ],
    },
  ];
  const response = await post('messages?beta=true', { model: 'm', max_tokens: 9, messages });
  expect(JSON.stringify(await response.json())).toContain('Step two.');
});

test('[U4] models can be listed, tokens counted, and an unknown path says so', async () => {
  expect(await (await fetch(`${server.url}/v1/models`)).json()).toMatchObject({ data: [{ id: 'scripted' }] });
  const counted = await post('messages/count_tokens', { messages: [{ role: 'user', content: 'x'.repeat(400) }] });
  expect(((await counted.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(100);
  expect((await post('embeddings', {})).status).toBe(404);
});

test('[U4] it listens on loopback only, and keeps requests without their credentials', async () => {
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  await post('chat/completions', { messages: [{ role: 'user', content: 'hi' }] }, { authorization: 'Bearer sk-1' });
  expect(server.requests.at(-1)).toMatchObject({ path: '/chat/completions', headers: { authorization: 'present' } });
  expect(JSON.stringify(server.requests)).not.toContain('sk-1');
});

test('[U4] a port that is taken is an error, not a hang', async () => {
  await expect(startScriptedServer({ port: server.port })).rejects.toThrow('EADDRINUSE');
});

async function post(path: string, body: JsonObject, headers: Record<string, string> = {}): Promise<Response> {
  const init = {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  };
  return await fetch(`${server.url}/v1/${path}`, init);
}

function twoCalls(): readonly JsonObject[] {
  return [
    { name: 'list', arguments: { folder: 'src' } },
    { name: 'list', arguments: {} },
  ];
}
