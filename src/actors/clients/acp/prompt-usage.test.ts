import { expect, test } from 'vitest';
import { promptModel, promptUsage } from './acp-reply.ts';

const plain = { cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 };

test('what came from a cache is part of the input, whether the agent counts it so or not', () => {
  const cached = { inputTokens: 10, outputTokens: 2, cachedReadTokens: 5, cachedWriteTokens: 1 };
  expect(promptUsage({ usage: { ...cached, totalTokens: 18 } })).toEqual({
    inputTokens: 16,
    outputTokens: 2,
    cacheReadTokens: 5,
    cacheWriteTokens: 1,
    calls: 1,
  });
  expect(promptUsage({ usage: { ...cached, totalTokens: 12 } })).toMatchObject({ inputTokens: 10, cacheReadTokens: 5 });
});

test('usage is also found in a field specific to the agent', () => {
  const quota = { token_count: { input_tokens: 7, output_tokens: 3 } };
  expect(promptUsage({ _meta: { quota } })).toEqual({ ...plain, inputTokens: 7, outputTokens: 3 });
});

test('[Q8] sub-agents that are only counted with the models count too', () => {
  const row = (model: string, inputTokens: number) => ({
    model,
    token_count: { inputTokens, outputTokens: 1, totalTokens: inputTokens + 1 },
  });
  const response = {
    usage: { inputTokens: 10, outputTokens: 1, totalTokens: 11 },
    _meta: { quota: { model_usage: [row('large', 30), row('small', 5)] } },
  };
  expect(promptUsage(response)).toEqual({ ...plain, inputTokens: 35, outputTokens: 2 });
  expect(promptModel(response)).toBe('large');
});

test('missing usage is unknown', () => {
  expect(promptUsage({})).toBeNull();
  expect(promptUsage({ usage: null })).toBeNull();
  expect(promptUsage({ usage: { inputTokens: -1, outputTokens: 'many' } })).toBeNull();
  expect(promptModel({})).toBe('');
});
