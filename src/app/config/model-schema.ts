import * as z from 'zod/mini';
import { CACHING, EFFORTS } from '../../actors/model/model-config.ts';
import { aboveZero, describe, nameText, wholeNumber } from '../../source/schema-parts.ts';
import { allowEntry, amount, headers, seconds, textSetting, variableName, webAddress } from './setting-parts.ts';

/** `models` in the configuration: who answers, by level or by name. */

const priceSchema = z.strictObject({
  input: amount.check(describe('USD for a million tokens sent.')),
  output: amount.check(describe('USD for a million tokens received.')),
  cache_read: z.optional(amount),
  cache_write: z.optional(amount),
});

const baseUrl = webAddress.check(
  z.refine((value) => (URL.parse(value)?.search ?? '') === '', { error: 'must not have a query (?…) in it' }),
);

const effortWord = z.enum(EFFORTS, { error: `must be one of ${EFFORTS.join(', ')}` });

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
  .check(describe('By level (base, smart, fast) or by a name that you choose.'));

export type PriceFile = z.infer<typeof priceSchema>;
export type ApiModelFile = z.infer<typeof apiModelSchema>;
export type ScriptedModelFile = z.infer<typeof scriptedModelSchema>;

/** `actors` in the configuration: agents that are separate programs. */

/** More than a timer can count is taken for a mistake in the unit. */
const MOST_MINUTES = 33_000;

const minutes = aboveZero.check(
  z.lte(MOST_MINUTES, { error: `must be at most ${MOST_MINUTES} minutes, which is 23 days` }),
);

const waitSeconds = aboveZero.check(z.lte(3600, { error: 'must be at most 3600 seconds, which is an hour' }));

const path = textSetting.check(
  z.refine((value) => !value.includes('\0'), { error: 'must not have a null character' }),
  z.refine((value) => value.trim() !== '', { error: 'must not be empty' }),
);

const watched = {
  grace_seconds: z.optional(
    waitSeconds.check(describe('How long it may go on after its reply was accepted before it is ended; 10.')),
  ),
  idle_minutes: z.optional(minutes.check(describe('It is stuck when nothing was heard of it for so long; 10.'))),
  wall_minutes: z.optional(minutes.check(describe('How long one turn may take; 60.'))),
  price: z.optional(priceSchema.check(describe('Instead of what the client reckons, where it does.'))),
  hosts: z.optional(
    z
      .array(allowEntry, { error: 'must be a list of hosts' })
      .check(describe('Hosts it reaches besides its own endpoint, where its role has no network.')),
  ),
};

const clientFields = {
  program: z.optional(path.check(describe('The program, where it is not the one on the path.'))),
  model: z.optional(textSetting.check(describe('The model it uses; its own choice by default.'))),
  effort: z.optional(effortWord.check(describe('How much it thinks; its own default when left out.'))),
  ...watched,
};

const codexSchema = z.strictObject(clientFields);

const claudeSchema = z.strictObject({
  ...clientFields,
  effort: z.optional(
    effortWord.check(
      z.refine((word) => word !== 'off', {
        error: 'must be one of low, medium, high, max: Claude Code has no option that turns thinking off',
      }),
    ),
  ),
});

const acpSchema = z.strictObject({
  command: z
    .array(path, { error: 'must be a list: the program, then its arguments' })
    .check(z.minLength(1, { error: 'must name a program' }), describe('Started for each turn, in the sandbox.')),
  env: z.optional(
    z
      .array(variableName, { error: 'must be a list of variable names' })
      .check(describe('Variables of your environment that it gets, such as the one that holds its key.')),
  ),
  ...watched,
});

const acpName = nameText.check(
  z.refine((name) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name), {
    error: 'must be letters, digits, dots, dashes and underscores, such as my-agent',
  }),
);

export const actorsSchema = z
  .strictObject({
    'claude-code': z.optional(claudeSchema),
    codex: z.optional(codexSchema),
    acp: z.optional(
      z
        .record(acpName, acpSchema, { error: 'must be a mapping of names to agents' })
        .check(describe('Agents that speak ACP, by the name after acp: in a role or after --actor.')),
    ),
  })
  .check(describe('Coding agents that are programs: which one, which model, how long it may take.'));

export type ActorsFile = z.infer<typeof actorsSchema>;
