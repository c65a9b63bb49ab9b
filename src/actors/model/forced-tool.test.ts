import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleRequest } from '../actor.contract.ts';
import type { CallReply, CallRequest } from '../port.ts';
import { startScriptedServer, type ScriptedServer } from '../scripted/scripted-server.ts';
import { createModelActor } from './model-actor.ts';
import type { ModelConfig } from './model-config.ts';

let server: ScriptedServer;
let strict: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
  strict = await startScriptedServer({ refuses: 'tool_choice' });
});
afterAll(() => Promise.all([server.close(), strict.close()]));

const parameters = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
const TOOLS = ['read_file', 'review_work'].map((name) => ({ name, description: name, parameters }));
const AGAIN: Partial<CallRequest> = { tools: TOOLS, owed: { tools: ['review_work'], isAskedAgain: true } };

type Provider = Pick<ModelConfig, 'provider' | 'model'>;
const OPENAI: Provider = { provider: 'openai', model: 'gpt-6' };

/** The reply, and the fields of each request that say which tools there are and which are forced. */
async function asked(model: Provider & Partial<ModelConfig>, given: Partial<CallRequest>, at = server) {
  const before = at.requests.length;
  const config: ModelConfig = { name: 'm', baseUrl: at.url, apiKey: 'k', ...model };
  const signal = new AbortController().signal;
  const reply: CallReply = await createModelActor(config).call(sampleRequest(given), { signal });
  const sent = at.requests.slice(before).map(({ body }) => body as Record<string, unknown>);
  return {
    reply,
    choices: sent.map((body) => body['tool_choice']),
    tools: sent.map((body) => JSON.stringify(body['tools'])),
  };
}

describe('[A4] a model is made to call a tool', () => {
  test.each([
    ['OpenAI', OPENAI, 'required'],
    ['a Claude that takes it', { provider: 'anthropic', model: 'claude-haiku-5-5' }, { type: 'any' }],
    ['a Claude that refuses it', { provider: 'anthropic', model: 'claude-opus-5-5' }, { type: 'auto' }],
    ['a Claude that thinks', { provider: 'anthropic', model: 'claude-sonnet-5', effort: 'high' }, { type: 'auto' }],
    ['an unknown model behind Anthropic’s format', { provider: 'anthropic', model: 'mine' }, { type: 'auto' }],
    ['an endpoint like OpenAI’s', { provider: 'openai-compatible', model: 'mine' }, undefined],
  ] as const)('at the second asking only, where it is known to be accepted: %s', async (_, model, choice) => {
    const first = await asked(model, { ...AGAIN, owed: { tools: ['review_work'], isAskedAgain: false } });
    const again = await asked(model, AGAIN);
    expect(first.choices).not.toContainEqual(model.provider === 'openai' ? 'required' : { type: 'any' });
    expect(again.choices).toEqual([choice]);
    expect(again.tools).toEqual(first.tools);
    expect(again.reply.kind).toBe('answered');
  });

  test('and one that refuses it goes on without, and is not forced again', async () => {
    const error = { message: "tool_choice 'required' is not supported by this model", type: 'invalid_request_error' };
    const send: typeof fetch = async (url, init) => {
      const { tool_choice: choice } = JSON.parse(init?.body as string) as { tool_choice?: unknown };
      choices.push(choice);
      return choice === 'required' ? Response.json({ error }, { status: 400 }) : await fetch(url, init);
    };
    const choices: unknown[] = [];
    const config: ModelConfig = { name: 'm', baseUrl: server.url, apiKey: 'k', provider: 'openai', model: 'gpt-shy' };
    const { signal } = new AbortController();
    for (const actor of [createModelActor(config, send), createModelActor(config, send)]) {
      expect(await actor.call(sampleRequest(AGAIN), { signal })).toMatchObject({ kind: 'answered' });
    }
    expect(choices).toEqual(['required', 'auto', 'auto']);
  });

  test('and text all the same is an answer, which the engine deals with', async () => {
    const prompt = 'Talk.\n```troupe-script\n["Looks good."]\n```';
    const { reply } = await asked(OPENAI, { ...AGAIN, messages: [{ role: 'user', content: prompt }] });
    expect(reply).toMatchObject({ kind: 'answered', content: 'Looks good.', toolCalls: [] });
  });
});

test('[A4] an endpoint that does not know tool_choice gets none', async () => {
  const { reply, choices } = await asked({ provider: 'openai-compatible', model: 'mine' }, AGAIN, strict);
  expect(reply.kind).toBe('answered');
  expect(choices).toEqual([undefined]);
});

test('[A4] an endpoint that does not take tools is named as such', async () => {
  const toolless = await startScriptedServer({ refuses: 'tools' });
  const { reply } = await asked({ provider: 'openai-compatible', model: 'mine' }, AGAIN, toolless);
  await toolless.close();
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { code: 'REQUEST_REFUSED', hint: expect.stringContaining('takes tools') },
  });
});
