import { describe, expect, test } from 'vitest';
import { actorContract, sampleRequest } from '../actor.contract.ts';
import type { CallReply, CallRequest } from '../port.ts';
import { createModelActor } from '../model/model-actor.ts';
import { EMPTY_SCENARIO } from './rule.ts';
import { parseScenario, type Scenario } from './scenario.ts';
import { startScriptedServer } from './scripted-server.ts';
import { createScriptedActor, type ScriptedActorOptions } from './scripted-actor.ts';

actorContract('scripted', async () => ({
  answering: createScriptedActor(EMPTY_SCENARIO),
  failing: createScriptedActor(scenarioOf([{ reply: { status: 500 } }])),
  hanging: {
    actor: createScriptedActor(scenarioOf([{ reply: { hang: true } }])),
    underWay: async () => undefined,
    gone: async () => undefined,
  },
  close: async () => undefined,
}));

describe('[U4] the scripted model inside the process', () => {
  test.each([
    [{ status: 401 }, 'auth', 'AUTH_FAILED'],
    [{ status: 402 }, 'quota', 'QUOTA_EXCEEDED'],
    [{ status: 429, error: 'insufficient_quota' }, 'quota', 'QUOTA_EXCEEDED'],
    [{ status: 529 }, 'overload', 'ENDPOINT_OVERLOADED'],
    [{ overloaded: true }, 'overload', 'ENDPOINT_OVERLOADED'],
    [{ stream_error: 'overloaded_error' }, 'overload', 'ENDPOINT_OVERLOADED'],
    [{ status: 500 }, 'server', 'ENDPOINT_FAILED'],
    [{ status: 404 }, 'bad-request', 'REQUEST_REFUSED'],
    [{ cut: true }, 'network', 'STREAM_CUT'],
    [{ malformed: true }, 'bad-reply', 'REPLY_MALFORMED'],
    [{ empty: true }, 'bad-reply', 'REPLY_EMPTY'],
    [{ say: 'x', finish: 'length' }, 'bad-reply', 'REPLY_TRUNCATED'],
    [{ say: 'x', finish: 'filtered' }, 'bad-request', 'REPLY_FILTERED'],
    [{ say: '' }, 'bad-reply', 'REPLY_EMPTY'],
  ])('[L3] %j fails as a real endpoint would: %s, %s', async (reply, failureClass, code) => {
    expect(await ask(reply)).toMatchObject({ kind: 'failed', failure: { class: failureClass, code } });
  });

  test('[L3] a rate limit says how long to wait', async () => {
    const reply = await ask({ status: 429, retry_after: 2 });
    expect(reply).toMatchObject({ failure: { code: 'RATE_LIMITED', retryAfterMs: 2000 } });
  });

  test('[SM7] raw arguments that are not JSON are kept and reported by call', async () => {
    const reply = await ask({
      tools: [
        { name: 'a', raw: '{oops' },
        { name: 'b', raw: '{"x":1}' },
      ],
    });
    if (reply.kind === 'failed') throw new Error(reply.failure.message);
    expect(reply.toolCalls.map((call) => call.arguments)).toEqual(['{oops', { x: 1 }]);
    expect(Object.keys(reply.malformed ?? {})).toEqual([reply.toolCalls[0]?.id]);
  });

  test('[U4] it costs nothing unless a price is given', async () => {
    const say = { say: 'Hi.', usage: { input: 1_000_000, output: 0 } };
    expect(await ask(say)).toMatchObject({ costUsd: 0, model: 'scripted' });
    expect(await ask(say, { price: { input: 3, output: 15 }, model: 'pro' })).toMatchObject({
      costUsd: 3,
      model: 'pro',
    });
  });

  test.each(['length', 'filtered'])('[R4] a reply that ends with %s is paid for, as over HTTP', async (finish) => {
    const reply = { say: 'Half a', finish, usage: { input: 1_000_000, output: 0 } };
    const price = { input: 3, output: 15 };
    const inProcess = await ask(reply, { price, model: 'pro' });
    const server = await startScriptedServer({ scenario: scenarioOf([{ reply }]) });
    try {
      const baseUrl = `http://127.0.0.1:${server.port}/v1`;
      const actor = createModelActor({ name: 'pro', provider: 'openai-compatible', baseUrl, model: 'pro', price });
      const overHttp = await actor.call(sampleRequest(), { signal: new AbortController().signal });
      if (inProcess.kind !== 'failed' || overHttp.kind !== 'failed') throw new Error('Both must fail.');
      expect(inProcess.spent).toEqual(overHttp.spent);
      expect(inProcess.spent).toMatchObject({ costUsd: 3, model: 'pro' });
    } finally {
      await server.close();
    }
  });

  test.each(['openai-compatible', 'openai', 'anthropic'] as const)(
    '[R4] the whole request is counted, instructions and tools included, as over HTTP (%s)',
    async (provider) => {
      const call = wholeRequest();
      const inProcess = await createScriptedActor(EMPTY_SCENARIO).call(call, { signal: new AbortController().signal });
      const server = await startScriptedServer({ scenario: EMPTY_SCENARIO });
      try {
        const baseUrl = `http://127.0.0.1:${server.port}/v1`;
        const actor = createModelActor({ name: 'pro', provider, baseUrl, model: 'pro' });
        const overHttp = await actor.call(call, { signal: new AbortController().signal });
        if (inProcess.kind === 'failed' || overHttp.kind === 'failed') throw new Error('Both must answer.');
        expect(inProcess.usage).toEqual(overHttp.usage);
        expect(inProcess.usage.inputTokens).toBeGreaterThan(3700 / 4);
      } finally {
        await server.close();
      }
    },
  );

  test('[U4] text streams in the pieces the script asks for', async () => {
    const pieces: string[] = [];
    const actor = createScriptedActor(scenarioOf([{ reply: { say: 'ab😀cd', chunk: 3 } }]));
    await actor.call(sampleRequest(), { signal: new AbortController().signal, onText: (piece) => pieces.push(piece) });
    expect(pieces).toEqual(['ab😀', 'cd']);
  });

  test('[U4] a paced stream comes piece by piece, and ends with the signal', async () => {
    const controller = new AbortController();
    const pieces: string[] = [];
    const actor = createScriptedActor(scenarioOf([{ reply: { say: 'abcd', chunk: 1, pace_ms: 1 } }]));
    const onText = (piece: string): void => {
      pieces.push(piece);
      if (pieces.length === 2) controller.abort();
    };
    const reply = await actor.call(sampleRequest(), { signal: controller.signal, onText });
    expect(pieces).toEqual(['a', 'b']);
    expect(reply).toMatchObject({ failure: { class: 'cancelled' } });
  });

  test('[A2] a scripted delay ends with the signal', async () => {
    const controller = new AbortController();
    const actor = createScriptedActor(scenarioOf([{ reply: { say: 'Late.', delay_ms: 60_000 } }]));
    const pending = actor.call(sampleRequest(), { signal: controller.signal });
    controller.abort();
    expect(await pending).toMatchObject({ failure: { class: 'cancelled' } });
  });
});

async function ask(reply: unknown, options: ScriptedActorOptions = {}): Promise<CallReply> {
  const actor = createScriptedActor(scenarioOf([{ reply }]), options);
  return await actor.call(sampleRequest(), { signal: new AbortController().signal });
}

/** Everything that a request can hold. */
function wholeRequest(): CallRequest {
  const { role } = sampleRequest();
  const toolCalls = [{ id: 'c1', name: 'read_file', arguments: { path: 'a.txt' } }];
  return sampleRequest({
    shared: 'Shared by all. '.repeat(100),
    role: {
      ...role,
      systemMessage: 'You write. '.repeat(200),
      examples: [{ role: 'user', author: 'user', content: 'For example.' }],
    },
    messages: [
      { role: 'user', content: 'Read it.' },
      { role: 'user', content: 'Now.' },
      { role: 'assistant', content: 'I read.', toolCalls },
      { role: 'tool', content: 'Its text.', toolCallId: 'c1', toolName: 'read_file' },
    ],
    tools: [{ name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: {} } }],
  });
}

function scenarioOf(value: unknown): Scenario {
  const result = parseScenario(value);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.problems));
  return result.scenario;
}
