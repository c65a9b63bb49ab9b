import * as z from 'zod/mini';
import { CACHING, EFFORTS } from '../../actors/model/model-config.ts';
import { nameText, wholeNumber } from '../../dialects/source/schema-parts.ts';
import { amount, describe, headers, seconds, textSetting, variableName, webAddress } from './setting-parts.ts';

/** `models` in the configuration: who answers, by level or by name. */

export const priceSchema = z.strictObject({
  input: amount.check(describe('USD for a million tokens sent.')),
  output: amount.check(describe('USD for a million tokens received.')),
  cache_read: z.optional(amount),
  cache_write: z.optional(amount),
});

const baseUrl = webAddress.check(
  z.refine((value) => (URL.parse(value)?.search ?? '') === '', { error: 'must not have a query (?…) in it' }),
);

export const effortWord = z.enum(EFFORTS, { error: `must be one of ${EFFORTS.join(', ')}` });

/** Nothing that works with tools fits into less. */
const SMALLEST_WINDOW = 2048;

const apiModelSchema = z
  .strictObject({
    provider: z
      .enum(['openai-compatible', 'openai', 'anthropic'])
      .check(describe('How the endpoint is spoken to; "scripted" answers from a file instead.')),
    model: textSetting.check(describe('The name the endpoint knows the model by.')),
    base_url: z.optional(baseUrl.check(describe('Where it is, such as http://127.0.0.1:11434/v1.'))),
    api_key_env: z.optional(variableName.check(describe('The environment variable that holds the key.'))),
    price: z.optional(priceSchema),
    max_output_tokens: z.optional(wholeNumber),
    window: z.optional(
      wholeNumber.check(
        z.gte(SMALLEST_WINDOW, { error: `must be at least ${SMALLEST_WINDOW} tokens` }),
        describe('Tokens that the model takes in one request, the reply included.'),
      ),
    ),
    temperature: z.optional(amount),
    effort: z.optional(effortWord.check(describe("How much it thinks; the model's own default when left out."))),
    caching: z.optional(
      z
        .enum(CACHING, { error: 'must be on, off or 1h' })
        .check(describe('Whether the provider keeps the beginning of prompts: on, off, or 1h for at least an hour.')),
    ),
    request_timeout: z.optional(seconds.check(describe('Seconds one call may take.'))),
    headers: z.optional(headers),
  })
  .check(
    z.refine(({ provider, base_url: url }) => provider !== 'openai-compatible' || url !== undefined, {
      error: 'must have a base_url, such as http://127.0.0.1:11434/v1, when it is openai-compatible',
    }),
    z.refine(({ provider, caching }) => provider !== 'openai-compatible' || caching === undefined, {
      error: 'must not have caching when it is openai-compatible: such endpoints decide by themselves what they keep',
    }),
    z.refine(({ window = Infinity, max_output_tokens: output = 0 }) => output <= window / 2, {
      error: 'must have a window of at least twice its max_output_tokens: the reply is part of the window',
    }),
  );

const scriptedModelSchema = z.strictObject({
  provider: z.literal('scripted'),
  scenario: textSetting.check(describe('The file with the answers, relative to the project.')),
  model: z.optional(textSetting.check(describe('The name it gives itself.'))),
  price: z.optional(priceSchema),
});

const modelSchema = z.discriminatedUnion('provider', [apiModelSchema, scriptedModelSchema], {
  error: 'must be one of openai-compatible, openai, anthropic, scripted',
});

const modelName = nameText.check(
  z.refine((name) => !name.includes('='), { error: 'must not have "=" in it: --model LEVEL=NAME could not name it' }),
);

export const modelsSchema = z
  .record(modelName, modelSchema, { error: 'must be a mapping of names to models' })
  .check(describe('By level (base, smart, fast) or by a name of your own.'));

export type PriceFile = z.infer<typeof priceSchema>;
export type ApiModelFile = z.infer<typeof apiModelSchema>;
export type ScriptedModelFile = z.infer<typeof scriptedModelSchema>;
