import { isAbsolute } from 'node:path';
import * as z from 'zod/mini';
import { FAILURE_CLASSES } from '../../core/model/outcome.ts';
import { describe, freeText, optionalKeys, wholeNumber } from '../../source/schema-parts.ts';
import { isJournalAddress } from '../../journal/journal-address.ts';
import type { SandboxWish } from '../../sandbox/find-sandbox.ts';
import { actorsSchema, modelsSchema } from './model-schema.ts';
import { mcpSchema, webSchema } from './mcp-schema.ts';
import { amount, command, seconds, textSetting } from './setting-parts.ts';
import { FIRST_PORT } from '../../workspace/resources/resources.ts';

/** `resources` in the configuration: what is leased beside files, by name. */

const NOT_A_PORT = { error: 'must be a port: a whole number from 1 to 65535' };

const portNumber = z.int(NOT_A_PORT).check(z.gte(1, NOT_A_PORT), z.lte(65_535, NOT_A_PORT));

const portSchema = z
  .strictObject({
    kind: z.literal('port'),
    from: z.optional(portNumber.check(describe(`The lowest port, not above \`to\`; default ${FIRST_PORT}.`))),
    to: z.optional(portNumber),
  })
  .check(
    z.refine(({ from = FIRST_PORT, to = Infinity }) => from <= to, {
      error: `must not have its \`from\` (${FIRST_PORT} by default) above its \`to\``,
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

/** `.troupe/config.yaml`, as people write it. Unknown keys are refused, so that a typing error is never a silent default. */
// Files are checked once in a process: compiling the checks first would cost more than it saves.
z.config({ jitless: true });

const paths = z.union([textSetting, z.array(textSetting)], { error: 'must be a path or a list of paths' });

const limitsSchema = z.strictObject({
  max_iterations: z.optional(wholeNumber.check(describe('Entries into any one state.'))),
  max_tool_rounds: z.optional(wholeNumber.check(describe('Model calls in one turn.'))),
  max_duration: z.optional(seconds.check(describe('Seconds.'))),
  max_tokens: z.optional(wholeNumber.check(describe('Tokens sent and received, all agents together.'))),
  max_usd: z.optional(amount.check(describe('Money, all agents together.'))),
});

const milliseconds = z
  .int({ error: 'must be a whole number of milliseconds, zero or more' })
  .check(z.nonnegative({ error: 'must be a whole number of milliseconds, zero or more' }));

const triesSchema = optionalKeys(FAILURE_CLASSES, wholeNumber);

const retrySchema = z
  .strictObject({
    base_ms: z.optional(milliseconds.check(describe('The wait before the second try; it doubles each time.'))),
    max_ms: z.optional(milliseconds.check(describe('The longest wait.'))),
    tries: z.optional(triesSchema.check(describe('Tries in all, by class of failure; 1 means never again.'))),
    tool_tries: z.optional(
      wholeNumber.check(describe('How often a tool that failed for a passing reason is tried in all; default 3.')),
    ),
  })
  .check(
    z.refine(({ base_ms: base = 0, max_ms: max = Infinity }) => base <= max, {
      error: 'must not have a max_ms below its base_ms',
    }),
  );

const toolsSchema = z.strictObject({
  exclude: z.optional(z.array(textSetting).check(describe('Tools that no agent gets.'))),
});

const SANDBOX_WISHES = ['bubblewrap', 'landlock', 'none', 'best'] as const satisfies readonly SandboxWish[];

const sandboxWish = z.enum(SANDBOX_WISHES, { error: `must be one of ${SANDBOX_WISHES.join(', ')}` });

const workspacesSchema = z.strictObject({
  ignored: z.optional(
    z
      .union([z.enum(['skip', 'copy']), z.array(textSetting)], {
        error: 'must be "skip", "copy" or a list of patterns',
      })
      .check(describe('What git ignores: left out, brought along, or only what these patterns match.')),
  ),
  method: z.optional(
    z
      .enum(['copy', 'overlay'], { error: 'must be "copy" or "overlay"' })
      .check(describe('How a workspace is made: a copy of the files (the default), or a layer over one frozen copy.')),
  ),
  max_files: z.optional(wholeNumber),
  max_bytes: z.optional(wholeNumber),
  largest_file: z.optional(wholeNumber.check(describe('Larger files are left out of workspaces; in bytes.'))),
});

export const configSchema = z.strictObject({
  $schema: z.optional(freeText),
  models: z.optional(modelsSchema),
  actors: z.optional(actorsSchema),
  limits: z.optional(limitsSchema),
  retry: z.optional(retrySchema.check(describe('How calls are tried again, where a state does not say.'))),
  workflows: z.optional(paths.check(describe('Workflow files and folders besides .troupe/workflows.'))),
  roles: z.optional(paths.check(describe('Role files and folders besides .troupe/roles.'))),
  tools: z.optional(toolsSchema),
  mcp: z.optional(mcpSchema.check(describe('MCP servers whose tools agents get, by name.'))),
  ward: z.optional(
    z
      .array(command)
      .check(
        describe(
          'The commands that must succeed for work to be sound, in order: lint, types, tests. The engine runs them.',
        ),
      ),
  ),
  setup: z.optional(
    command.check(
      describe('A command that makes a new workspace ready, such as npm ci. Runs in the sandbox, with network.'),
    ),
  ),
  workspaces: z.optional(workspacesSchema),
  resources: z.optional(resourcesSchema),
  web: z.optional(webSchema),
  sandbox: z.optional(
    sandboxWish.check(
      describe('The sandbox for commands. A project can ask for a stricter one than the user, not for a weaker one.'),
    ),
  ),
  readable: z.optional(
    paths.check(
      describe('Folders outside of the project that commands in the sandbox may read. Everything else is not there.'),
    ),
  ),
  journal: z.optional(
    textSetting.check(
      z.refine(isJournalAddress, { error: 'must be an address such as postgres://USER@HOST:5432/DATABASE' }),
      describe('The journal that several machines share: an address of PostgreSQL. Default: a file in the home.'),
    ),
  ),
  cluster: z.optional(
    textSetting.check(
      describe(
        'The name of the cluster that the journal named here belongs to. One that belongs to another is refused.',
      ),
    ),
  ),
  store: z.optional(
    textSetting.check(
      z.refine((value) => isJournalAddress(value) || isAbsolute(value), {
        error:
          'must be the path of a folder that all machines mount, or an address such as postgres://USER@HOST:5432/DATABASE',
      }),
      describe(
        'Where files and conversations reach other machines: a shared folder, or PostgreSQL. Default: the database of the journal.',
      ),
    ),
  ),
  notify: z.optional(command.check(describe('A command that is run when a run settles or asks.'))),
});

export type ConfigFile = z.infer<typeof configSchema>;
