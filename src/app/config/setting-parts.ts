import * as z from 'zod/mini';
import { aboveZero, freeText } from '../../dialects/source/schema-parts.ts';
import { allowProblem } from './allow-problem.ts';

/** Pieces that several settings share. Messages are the ends of sentences, as everywhere in schemas. */

export const describe = (words: string) => z.describe(words);

export const textSetting = freeText.check(z.minLength(1, { error: 'must not be empty' }));

/** A command line for a shell. */
export const command = freeText.check(
  z.refine((value) => value.trim() !== '', { error: 'must not be empty' }),
  z.refine((value) => !value.includes('\0'), { error: 'must not have a null character' }),
);

export const amount = z
  .number({ error: 'must be a number, zero or more' })
  .check(z.nonnegative({ error: 'must be a number, zero or more' }));

/** More than a timer can count is taken for a mistake in the unit. */
const MOST_SECONDS = 2_000_000;

export const seconds = aboveZero.check(
  z.lte(MOST_SECONDS, { error: `must be at most ${MOST_SECONDS} seconds, which is 23 days` }),
);

/** A name and never the key itself: the file is read by others, and so are messages about it. */
export const variableName = textSetting.check(
  z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    error: 'must be the name of an environment variable, such as OPENAI_API_KEY, and not the key itself',
  }),
);

/** An address of the web, without what would be shown in messages or logs. */
export const webAddress = textSetting.check(
  z.refine((value) => parsed(value) !== null, { error: 'must be an address that begins with http:// or https://' }),
  z.refine((value) => !hasSecrets(value), { error: 'must not have a user name or password in it' }),
);

function parsed(value: string): URL | null {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

function hasSecrets(value: string): boolean {
  const url = parsed(value);
  return url !== null && (url.username !== '' || url.password !== '');
}

/** A host that may be reached. */
export const allowEntry = textSetting.check(
  z.superRefine((value, context) => {
    const problem = allowProblem(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: value });
  }),
);

/** What would end a header early, or is no name of one, is refused here rather than at the first call. */
export const headers = z.record(
  z
    .string({ error: 'must be text' })
    .check(z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'must be the name of a header, such as x-api-key' })),
  freeText.check(
    // Not a pattern of the schema: its control characters would not survive every validator.
    z.refine((value) => !/[\p{Cc}]/u.test(value), { error: 'must be one line, without control characters' }),
  ),
  { error: 'must be a mapping of header names to texts' },
);
