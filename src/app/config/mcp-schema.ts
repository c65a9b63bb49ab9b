import * as z from 'zod/mini';
import type { Mode } from '../../tools/mode.ts';
import { describe } from '../../source/schema-parts.ts';
import { allowEntry, headers, seconds, textSetting, variableName, webAddress } from './setting-parts.ts';

/** Where an MCP server is, in all settings that name one. */

const serverCommand = z
  .array(textSetting, { error: 'must be a list: the program, then its arguments' })
  .check(z.minLength(1, { error: 'must name a program' }), describe('The server as a program, started when needed.'));

const serverUrl = webAddress.check(describe('The server at an address.'));

const serverEnvironment = z
  .array(variableName, { error: 'must be a list of variable names' })
  .check(describe('Variables of your environment that the program gets, such as the one that holds its key.'));

const serverHeaders = headers.check(describe('Sent to the address.'));

interface ServerPlace {
  readonly command?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Either a program or an address, each with its own keys only. */
const serverChecks = <Server extends ServerPlace>() => [
  z.refine<Server>(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: 'must have a command or a url, and not both',
  }),
  z.refine<Server>(({ url, env }) => url === undefined || env === undefined, {
    error: 'must not have env beside url; it belongs to a command',
  }),
  z.refine<Server>(({ command, headers: own }) => command === undefined || own === undefined, {
    error: 'must not have headers beside command; they belong to a url',
  }),
];

const MODES = ['read', 'commands', 'write'] as const satisfies readonly Mode[];

const serverSchema = z
  .strictObject({
    command: z.optional(serverCommand),
    url: z.optional(serverUrl),
    env: z.optional(serverEnvironment),
    headers: z.optional(serverHeaders),
    api_key_env: z.optional(
      variableName.check(describe('The variable that holds the key for the address; sent as a bearer token.')),
    ),
    tools: z.optional(
      z
        .array(textSetting, { error: 'must be a list of names' })
        .check(describe('Which of its tools agents get, by the names the server gives them. Default: all.')),
    ),
    mode: z.optional(
      z
        .enum(MODES, { error: `must be one of ${MODES.join(', ')}` })
        .check(describe('The least mode of a role that is offered them. Default: write.')),
    ),
    timeout_seconds: z.optional(
      seconds.check(describe('How long the start and each call may take. Default: 30 to start, 60 for a call.')),
    ),
  })
  .check(
    ...serverChecks(),
    z.refine(({ command, api_key_env: key }) => command === undefined || key === undefined, {
      error: 'must not have api_key_env beside command; it belongs to a url. A command has env',
    }),
  );

export const mcpSchema = z.record(
  z.string({ error: 'must be text' }).check(
    z.regex(/^(?!.*__)[a-z0-9](?:[a-z0-9_-]{0,22}[a-z0-9])?$/, {
      error: 'must be a short name of small letters, digits, - and single _, such as docs',
    }),
  ),
  serverSchema,
  { error: 'must be a mapping of names to MCP servers' },
);

export type McpServerFile = z.infer<typeof serverSchema>;

/** `web` in the configuration: which hosts agents may read, and where they search. */

const searchUrl = webAddress.check(
  z.refine((value) => value.includes('{query}'), {
    error: 'must have {query} where the question goes, such as https://search.example.org/?q={query}',
  }),
);

const searchServerSchema = z
  .strictObject({
    command: z.optional(serverCommand),
    url: z.optional(serverUrl),
    tool: textSetting.check(describe('Which of its tools searches.')),
    env: z.optional(serverEnvironment),
    headers: z.optional(serverHeaders),
  })
  .check(...serverChecks());

const searchSchema = z
  .strictObject({
    url: z.optional(searchUrl.check(describe('Where web_search asks, with {query} in it.'))),
    kind: z.optional(z.enum(['searxng', 'json'], { error: 'must be "searxng" or "json"' })),
    headers: z.optional(headers),
    mcp: z.optional(searchServerSchema.check(describe('An MCP server that searches, instead of a url.'))),
  })
  .check(
    z.refine(({ url, mcp }) => (url === undefined) !== (mcp === undefined), {
      error: 'must have a url or an mcp server, and not both',
    }),
    z.refine(({ mcp, kind, headers: own }) => mcp === undefined || (kind === undefined && own === undefined), {
      error: 'must not have kind or headers beside mcp; they belong to a url',
    }),
  );

export const webSchema = z.strictObject({
  allow: z.optional(
    z
      .array(allowEntry, { error: 'must be a list of hosts' })
      .check(describe('Hosts that web_fetch may reach, such as docs.example.org or *.example.org.')),
  ),
  search: z.optional(searchSchema),
});

export type SearchFile = z.infer<typeof searchSchema>;
