import * as z from 'zod/mini';
import { aboveZero, nameText } from '../../dialects/source/schema-parts.ts';
import { effortWord, priceSchema } from './model-schema.ts';
import { allowEntry, describe, textSetting, variableName } from './setting-parts.ts';

/** `actors` in the configuration: the agents that are programs of their own. */

/** More than a timer can count is taken for a mistake in the unit. */
const MOST_MINUTES = 33_000;

const minutes = aboveZero.check(
  z.lte(MOST_MINUTES, { error: `must be at most ${MOST_MINUTES} minutes, which is 23 days` }),
);

const seconds = aboveZero.check(z.lte(3600, { error: 'must be at most 3600 seconds, which is an hour' }));

const path = textSetting.check(
  z.refine((value) => !value.includes('\0'), { error: 'must not have a null character' }),
  z.refine((value) => value.trim() !== '', { error: 'must not be empty' }),
);

const watched = {
  grace_seconds: z.optional(
    seconds.check(describe('How long it may go on after its reply was accepted before it is ended; 10.')),
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
  model: z.optional(textSetting.check(describe('The model it is told to use; its own choice unless given.'))),
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
