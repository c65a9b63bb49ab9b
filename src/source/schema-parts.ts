import * as z from 'zod/mini';
import { LABEL } from '../core/model/label.ts';
import { FORBIDDEN_KEYS } from './source-error.ts';

/** Pieces that the schemas of several formats share. Messages are the ends of sentences; see `schema-problems`. */

/** A name becomes a key in records and a word in messages, so it is short, printable and no key of a prototype. */
export const nameText = z.string({ error: 'must be text' }).check(
  z.minLength(1, { error: 'must not be empty' }),
  z.maxLength(200, { error: 'must have at most 200 characters' }),
  // Not a pattern of the schema: validators that read it without the "u" flag would misread it.
  z.refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), { error: 'must not have control characters' }),
  z.refine((name) => !FORBIDDEN_KEYS.has(name), { error: 'must not be the name of a prototype' }),
);

export const freeText = z.string({ error: 'must be text' });

export const wholeNumber = z
  .int({ error: 'must be a whole number above 0' })
  .check(z.positive({ error: 'must be a whole number above 0' }));

export const aboveZero = z
  .number({ error: 'must be a number above 0' })
  .check(z.positive({ error: 'must be a number above 0' }));

export const openRecord = z.record(z.string(), z.unknown(), { error: 'must be a mapping of keys to values' });

export const flagSchema = z.boolean({ error: 'must be true or false' });

export const holdsList = z
  .array(nameText, { error: 'must be a list of names' })
  .check(z.minLength(1, { error: 'must name at least one resource' }));

export const LABEL_RULE = 'must be 1 to 64 letters, digits and . : _ -';

export const labelsKey = z.optional(
  z
    .array(z.string({ error: 'must be text' }).check(z.regex(LABEL, { error: LABEL_RULE })), {
      error: 'must be a list of labels',
    })
    .check(z.describe('Only workers that offer all of these labels take a run of it.')),
);

/** The text that editors show for a key. */
export const describe = (text: string) => z.describe(text);

/** A key that may be left out, with what editors show for it. */
export const optionalKey = <Schema extends z.ZodMiniType>(schema: Schema, text: string): z.ZodMiniOptional<Schema> =>
  z.optional(schema.check(describe(text)));

/** The merge of parallel work sets it. */
export const reportOverlapKey = optionalKey(
  z.boolean({ error: 'must be true or false' }),
  'While they work, the authors are told which of their files others have changed too.',
);

export const oneWordOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

/** One key for each of these names, all of which may be left out. */
export const optionalKeys = <Name extends string, Schema extends z.ZodMiniType>(
  names: readonly Name[],
  schema: Schema,
): z.ZodMiniObject<OptionalKeys<Name, Schema>, z.core.$strict> =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, z.optional(schema)])) as OptionalKeys<Name, Schema>);

type OptionalKeys<Name extends string, Schema extends z.ZodMiniType> = Readonly<
  Record<Name, z.ZodMiniOptional<Schema>>
>;
