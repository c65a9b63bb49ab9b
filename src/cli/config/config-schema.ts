import * as z from 'zod/mini';
import { FAILURE_CLASSES, type FailureClass } from '../../core/outcome.ts';
import { aboveZero, freeText, nameText, wholeNumber } from '../../dialects/source/schema-parts.ts';

/** `.troupe/config.yaml`, as people write it. Unknown keys are refused, so that a typing error is never a silent default. */
// Files are checked once in a process: compiling the checks first would cost more than it saves.
z.config({ jitless: true });

const describe = (text: string) => z.describe(text);

const text = freeText.check(z.minLength(1, { error: 'must not be empty' }));
const amount = z
  .number({ error: 'must be a number, zero or more' })
  .check(z.nonnegative({ error: 'must be a number, zero or more' }));
const paths = z.union([text, z.array(text)], { error: 'must be a path or a list of paths' });

const priceSchema = z.strictObject({
  input: amount.check(describe('USD for a million tokens sent.')),
  output: amount.check(describe('USD for a million tokens received.')),
  cache_read: z.optional(amount),
  cache_write: z.optional(amount),
});

const apiModelSchema = z.strictObject({
  provider: z
    .enum(['openai-compatible', 'openai', 'anthropic'])
    .check(describe('How the endpoint is spoken to; "scripted" answers from a file instead.')),
  model: text.check(describe('The name the endpoint knows the model by.')),
  base_url: z.optional(text.check(describe('Where it is, such as http://127.0.0.1:11434/v1.'))),
  api_key_env: z.optional(text.check(describe('The environment variable that holds the key.'))),
  price: z.optional(priceSchema),
  max_output_tokens: z.optional(wholeNumber),
  temperature: z.optional(amount),
  request_timeout: z.optional(aboveZero.check(describe('Seconds one call may take.'))),
  headers: z.optional(z.record(z.string(), freeText)),
});

const scriptedModelSchema = z.strictObject({
  provider: z.literal('scripted'),
  scenario: text.check(describe('The file with the answers, relative to the project.')),
  model: z.optional(text.check(describe('The name it gives itself.'))),
  price: z.optional(priceSchema),
});

const modelSchema = z.discriminatedUnion('provider', [apiModelSchema, scriptedModelSchema], {
  error: 'must be one of openai-compatible, openai, anthropic, scripted',
});

const limitsSchema = z.strictObject({
  max_iterations: z.optional(wholeNumber.check(describe('Entries into any one state.'))),
  max_tool_rounds: z.optional(wholeNumber.check(describe('Model calls in one turn.'))),
  max_duration: z.optional(aboveZero.check(describe('Seconds.'))),
  max_tokens: z.optional(wholeNumber.check(describe('Tokens sent and received, all agents together.'))),
  max_usd: z.optional(amount.check(describe('Money, all agents together.'))),
});

const milliseconds = z
  .int({ error: 'must be a whole number of milliseconds, zero or more' })
  .check(z.nonnegative({ error: 'must be a whole number of milliseconds, zero or more' }));

const triesSchema = z.strictObject(
  Object.fromEntries(FAILURE_CLASSES.map((name) => [name, z.optional(wholeNumber)])) as Readonly<
    Record<FailureClass, z.ZodMiniOptional<typeof wholeNumber>>
  >,
);

const retrySchema = z
  .strictObject({
    base_ms: z.optional(milliseconds.check(describe('The wait before the second try; it doubles each time.'))),
    max_ms: z.optional(milliseconds.check(describe('The longest wait.'))),
    tries: z.optional(triesSchema.check(describe('Tries in all, by class of failure; 1 means never again.'))),
  })
  .check(
    z.refine(({ base_ms: base = 0, max_ms: max = Infinity }) => base <= max, {
      error: 'must not have a max_ms below its base_ms',
    }),
  );

const toolsSchema = z.strictObject({
  exclude: z.optional(z.array(text).check(describe('Tools that no agent gets.'))),
});

const sandboxLevel = z.enum(['bubblewrap', 'landlock', 'none'], {
  error: 'must be one of bubblewrap, landlock, none',
});

const workspacesSchema = z.strictObject({
  ignored: z.optional(
    z
      .union([z.enum(['skip', 'copy']), z.array(text)], { error: 'must be "skip", "copy" or a list of patterns' })
      .check(describe('What git ignores: left out, brought along, or only what these patterns match.')),
  ),
  method: z.optional(
    z
      .enum(['copy', 'overlay'], { error: 'must be "copy" or "overlay"' })
      .check(describe('How a workspace is made: a copy of the files (unless given), or a layer over one frozen copy.')),
  ),
  max_files: z.optional(wholeNumber),
  max_bytes: z.optional(wholeNumber),
});

const portNumber = z
  .int({ error: 'must be a port: a whole number from 1 to 65535' })
  .check(z.gte(1), z.lte(65_535, { error: 'must be a port: a whole number from 1 to 65535' }));

const resourceSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('port'),
      from: z.optional(portNumber.check(describe('The lowest port; not above `to`.'))),
      to: z.optional(portNumber),
    }),
    z.strictObject({
      kind: z.literal('name'),
      pattern: text.check(
        z.refine((value) => value.includes('{n}'), { error: 'must have {n} where the number goes' }),
        describe('Such as app_test_{n}, counted from 1.'),
      ),
      count: wholeNumber,
    }),
    z.strictObject({ kind: z.literal('folder') }),
    z.strictObject({ kind: z.literal('mutex') }),
  ],
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

const webSchema = z.strictObject({
  allow: z.optional(
    z.array(text).check(describe('Hosts that web_fetch may reach, such as docs.example.org or *.example.org.')),
  ),
  search: z.optional(
    z.strictObject({
      url: text.check(describe('Where web_search asks, with {query} in it.')),
      kind: z.optional(z.enum(['searxng', 'json'])),
      headers: z.optional(z.record(z.string(), freeText)),
    }),
  ),
});

export const configSchema = z.strictObject({
  $schema: z.optional(freeText),
  models: z.optional(
    z.record(nameText, modelSchema).check(describe('By level (base, smart, fast) or by a name of your own.')),
  ),
  limits: z.optional(limitsSchema),
  retry: z.optional(retrySchema.check(describe('How calls are tried again, where a state does not say.'))),
  workflows: z.optional(paths.check(describe('Workflow files and folders besides .troupe/workflows.'))),
  roles: z.optional(paths.check(describe('Role files and folders besides .troupe/roles.'))),
  tools: z.optional(toolsSchema),
  setup: z.optional(
    text.check(
      describe('A command that makes a new workspace ready, such as npm ci. Runs in the sandbox, with network.'),
    ),
  ),
  workspaces: z.optional(workspacesSchema),
  resources: z.optional(
    z.record(resourceName, resourceSchema).check(describe('Ports, databases, folders and locks, by name.')),
  ),
  web: z.optional(webSchema),
  sandbox: z.optional(
    sandboxLevel.check(describe('What keeps commands in. A project can ask for more than the user, not for less.')),
  ),
  notify: z.optional(text.check(describe('A command that is run when a run settles or asks.'))),
});

export type ConfigFile = z.infer<typeof configSchema>;
export type ApiModelFile = z.infer<typeof apiModelSchema>;
export type ScriptedModelFile = z.infer<typeof scriptedModelSchema>;
