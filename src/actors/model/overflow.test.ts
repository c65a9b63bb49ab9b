import { expect, test } from 'vitest';
import { sampleRequest } from '../actor.contract.ts';
import { startScriptedServer } from '../scripted/scripted-server.ts';
import { failureOf, replyRefusal } from './call-failure.ts';
import { createModelActor } from './model-actor.ts';

const CALL = { model: 'm', host: 'api.test', secrets: [], response: null };

test.each([
  ['Anthropic', 400, { type: 'invalid_request_error', message: 'prompt is too long: 215,003 tokens > 200000 maximum' }],
  [
    'Anthropic with the output',
    400,
    { message: 'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000, decrease input length' },
  ],
  [
    'OpenAI',
    400,
    {
      code: 'context_length_exceeded',
      message:
        "This model's maximum context length is 200000 tokens. However, your messages resulted in 215003 tokens.",
    },
  ],
  ['Gemini', 400, { message: 'The input token count (215003) exceeds the maximum number of tokens allowed (200000).' }],
  [
    'vLLM',
    400,
    { message: "This model's maximum context length is 200000 tokens. However, you requested 215003 tokens." },
  ],
  [
    'llama.cpp',
    400,
    { type: 'exceed_context_size_error', message: 'Too large.', n_ctx: 200_000, n_prompt_tokens: 215_003 },
  ],
  [
    'llama.cpp, older',
    500,
    { message: 'the request (215003 tokens) exceeds the available context size (200000 tokens)' },
  ],
  ['xAI', 400, { message: "This model's maximum prompt length is 200000 but the request contains 215003 tokens." }],
  ['Kimi', 400, { message: 'Invalid request: Your request exceeded model token limit: 200000' }],
])('[A6] %s says that a request is too large, and the window is read from it', (_, statusCode, error) => {
  const failure = failureOf({ statusCode, responseBody: JSON.stringify({ error }) }, CALL);
  expect(failure).toMatchObject({ class: 'bad-request', code: 'CONTEXT_OVERFLOW', overflow: { window: 200_000 } });
  expect(failure.hint).toContain('`window`');
  expect(failure.hint).not.toContain('tools');
});

test.each([
  ['OpenAI, in a stream', { message: 'Your input exceeds the context window of this model.' }],
  ['Bedrock', { statusCode: 400, message: 'Input is too long for requested model.' }],
  ['a body that is too large', { statusCode: 413, message: 'Payload Too Large' }],
])('[A6] %s is an overflow without a number', (_, error) => {
  expect(failureOf(error, CALL)).toMatchObject({ code: 'CONTEXT_OVERFLOW', overflow: {} });
});

test('[A6] a limit on tokens a minute is no overflow', () => {
  const message =
    'Request too large for gpt-6: limit 30000 tokens per minute. Please reduce the length of the messages.';
  expect(failureOf({ statusCode: 429, message }, CALL)).toMatchObject({ code: 'RATE_LIMITED' });
});

test('[A6] a reply that ended at the edge of the window is an overflow', () => {
  const reply = {
    parts: [],
    calls: [],
    malformed: {},
    usage: null,
    model: null,
    finish: 'overflow',
    ignored: [],
    error: null,
  } as const;
  expect(replyRefusal(reply, CALL)).toMatchObject({ code: 'CONTEXT_OVERFLOW' });
});

test.each(['openai-compatible', 'openai', 'anthropic'] as const)(
  '[A6] the scripted %s model has a window and refuses what is larger',
  async (provider) => {
    const server = await startScriptedServer({ scenario: { rules: [], window: 1000 } });
    const actor = createModelActor({ name: 'small', provider, model: 'm', baseUrl: server.url });
    const asked = async (content: string) =>
      await actor.call(sampleRequest({ messages: [{ role: 'user', content }] }), {
        signal: new AbortController().signal,
      });
    expect(await asked('x'.repeat(3000))).toMatchObject({ kind: 'answered' });
    const refused = await asked('x'.repeat(5000));
    expect(refused).toMatchObject({ failure: { code: 'CONTEXT_OVERFLOW', overflow: { window: 1000 } } });
    await server.close();
  },
);
