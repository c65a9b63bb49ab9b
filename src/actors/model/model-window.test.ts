import { expect, test } from 'vitest';
import { endpointOf, type ModelConfig, windowOf } from './model-config.ts';

const windowFor = (config: Partial<ModelConfig>) => {
  const whole = {
    name: 'base',
    provider: 'openai-compatible',
    model: 'm',
    baseUrl: 'https://x.example',
    ...config,
  } as const;
  return windowOf(whole, endpointOf(whole));
};

test.each([
  ['claude-opus-5-5', 1_000_000],
  ['claude-sonnet-4-6', 1_000_000],
  ['claude-haiku-4-5-20251001', 200_000],
  ['gpt-6.1-sol', 1_050_000],
  ['gpt-5.2', 400_000],
  ['google/gemini-3-pro', 1_048_576],
  ['Qwen3.5-Plus', 262_144],
  ['deepseek-v4', 1_000_000],
  ['moonshot/kimi-k2.6', 262_144],
  ['glm-4.7', 204_800],
  ['something-new', 128_000],
])('[A6] the window of %s is %d tokens', (model, tokens) => {
  expect(windowFor({ model })).toMatchObject({ tokens, isConfigured: false });
});

test('[A6] a configured window counts before the table, also for Ollama', () => {
  expect(windowFor({ model: 'gpt-6', window: 272_000 })).toMatchObject({ tokens: 272_000, isConfigured: true });
  const ollama = { baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen3.5' };
  expect(windowFor(ollama).tokens).toBe(4096);
  expect(windowFor({ ...ollama, window: 65_536 }).tokens).toBe(65_536);
});

test('[A6] room for the reply is at most a fifth of the window, unless it is configured', () => {
  expect(windowFor({ model: 'claude-opus-5-5' }).output).toBe(128_000);
  expect(windowFor({ model: 'deepseek-v4' }).output).toBe(200_000);
  expect(windowFor({ model: 'small', window: 4096 }).output).toBe(819);
  expect(windowFor({ model: 'small', window: 4096, maxOutputTokens: 2000 }).output).toBe(2000);
});

test('[A6] the history of Claude and of OpenAI reasoning is not edited', () => {
  expect(windowFor({ model: 'qwen3' }).mayEdit).toBe(true);
  expect(windowFor({ model: 'anthropic/claude-opus-5-5' }).mayEdit).toBe(false);
  expect(windowFor({ provider: 'openai', model: 'gpt-6' }).mayEdit).toBe(false);
});
