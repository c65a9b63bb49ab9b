import * as z from 'zod/mini';
import { wholeNumber } from '../../dialects/source/schema-parts.ts';
import { FIRST_PORT } from '../../workspace/resources/candidates.ts';
import { describe, textSetting } from './setting-parts.ts';

/** `resources` in the configuration: what is leased beside files, by name. */

const NOT_A_PORT = { error: 'must be a port: a whole number from 1 to 65535' };

const portNumber = z.int(NOT_A_PORT).check(z.gte(1, NOT_A_PORT), z.lte(65_535, NOT_A_PORT));

const portSchema = z
  .strictObject({
    kind: z.literal('port'),
    from: z.optional(portNumber.check(describe(`The lowest port, not above \`to\`; ${FIRST_PORT} unless given.`))),
    to: z.optional(portNumber),
  })
  .check(
    z.refine(({ from = FIRST_PORT, to = Infinity }) => from <= to, {
      error: `must not have its \`from\` (${FIRST_PORT} unless given) above its \`to\``,
    }),
  );

/** Of so many a lease would spend its time looking. */
const MOST_NAMES = 10_000;

const nameSchema = z.strictObject({
  kind: z.literal('name'),
  pattern: textSetting.check(
    z.refine((value) => value.includes('{n}'), { error: 'must have {n} where the number goes' }),
    z.refine((value) => !/[\p{Cc}]/u.test(value), { error: 'must not have control characters' }),
    describe('Such as app_test_{n}, counted from 1.'),
  ),
  count: wholeNumber.check(z.lte(MOST_NAMES, { error: `must be at most ${MOST_NAMES}` })),
});

const resourceSchema = z.discriminatedUnion(
  'kind',
  [portSchema, nameSchema, z.strictObject({ kind: z.literal('folder') }), z.strictObject({ kind: z.literal('mutex') })],
  { error: 'must be one of port, name, folder, mutex' },
);

/** A resource becomes a variable of commands: `web_port` is WEB_PORT. It must not take the place of one they need. */
const KEPT_VARIABLES: ReadonlySet<string> = new Set([
  'path',
  'home',
  'tmpdir',
  'lang',
  'tz',
  'shell',
  'term',
  'ci',
  'pager',
]);

const resourceName = z.string({ error: 'must be text' }).check(
  z.regex(/^[a-z][a-z0-9_]{0,40}$/, { error: 'must be lower-case letters, digits and underscores, such as web_port' }),
  z.refine((name) => !KEPT_VARIABLES.has(name) && !/^(?:git|npm|ld|node)_/.test(name), {
    error: 'must not be the name of a variable that commands need',
  }),
);

export const resourcesSchema = z
  .record(resourceName, resourceSchema, { error: 'must be a mapping of names to resources' })
  .check(describe('Ports, databases, folders and locks, by name.'));
