import { afterEach, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../core/model/json.ts';
import { sampleRequest } from '../actor.contract.ts';
import { startScriptedServer, type ScriptedServer } from '../scripted/scripted-server.ts';
import { createModelActor } from './model-actor.ts';
import type { ModelConfig } from './model-config.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const CLAUDE = { provider: 'anthropic', model: 'claude-opus-5' } as const;
const OLD_CLAUDE = { provider: 'anthropic', model: 'claude-haiku-4-5' } as const;
const GPT = { provider: 'openai', model: 'gpt-5.6' } as const;
const OTHER = { provider: 'openai-compatible', model: 'qwen3' } as const;

describe('[A9] effort is said in the words of each provider', () => {
  test.each([
    [CLAUDE, 'high', { output_config: { effort: 'high' }, thinking: { type: 'adaptive' } }],
    [CLAUDE, 'max', { output_config: { effort: 'max' } }],
    [OLD_CLAUDE, 'low', { thinking: { type: 'enabled' } }],
    [OLD_CLAUDE, 'off', { thinking: { type: 'disabled' } }],
    [GPT, 'medium', { reasoning: { effort: 'medium' } }],
    [{ ...GPT, model: 'gpt-5.4' }, 'max', { reasoning: { effort: 'xhigh' } }],
    [GPT, 'off', { reasoning: { effort: 'none' } }],
    [OTHER, 'high', { reasoning_effort: 'high' }],
    [OTHER, 'off', { reasoning_effort: 'none' }],
  ] as const)('%o, %s', async (model, effort, expected) => {
    expect((await sent({ ...model, effort })).body).toMatchObject(expected);
  });

  test('without a word nothing is sent', async () => {
    for (const model of [CLAUDE, GPT, OTHER]) {
      const { body } = await sent(model);
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['thinking']));
      expect([body['output_config'], body['reasoning_effort']]).toEqual([undefined, undefined]);
    }
  });
});

test.each([
  [{ provider: 'openai', model: 'gpt-4.1', effort: 'high' }, /gpt-4\.1 .*reasoning/i],
  [{ ...GPT, temperature: 0.2 }, /temperature/],
  [{ ...OLD_CLAUDE, effort: 'high', temperature: 0.2 }, /temperature is not supported when thinking is enabled/],
] as const)('[A9] a setting that the model does not take is refused by name: %o', async (config, words) => {
  const { reply } = await sent(config);
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'config', code: 'SETTING_UNSUPPORTED', message: expect.stringMatching(words) },
  });
});

test.each([CLAUDE, GPT, OTHER])('[A9] the output limit is sent: %o', async (model) => {
  const { body } = await sent({ ...model, maxOutputTokens: 1234 });
  expect([body['max_tokens'], body['max_output_tokens']]).toContain(1234);
});

async function sent(config: Omit<ModelConfig, 'name'>): Promise<{ body: JsonObject; reply: unknown }> {
  const server = await startScriptedServer();
  servers.push(server);
  const actor = createModelActor({ name: 'stub', ...config, baseUrl: server.url });
  const reply = await actor.call(sampleRequest(), { signal: new AbortController().signal });
  const body = server.requests[0]?.body;
  return { body: isJsonObject(body) ? body : {}, reply };
}
