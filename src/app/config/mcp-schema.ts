import * as z from 'zod/mini';
import type { Mode } from '../../tools/mode.ts';
import { describe, headers, seconds, textSetting, variableName, webAddress } from './setting-parts.ts';

/** Where an MCP server is, in all settings that name one. */

export const serverCommand = z
  .array(textSetting, { error: 'must be a list: the program, then its arguments' })
  .check(z.minLength(1, { error: 'must name a program' }), describe('The server as a program, started when needed.'));

export const serverUrl = webAddress.check(describe('The server at an address.'));

export const serverEnvironment = z
  .array(variableName, { error: 'must be a list of variable names' })
  .check(describe('Variables of your environment that the program gets, such as the one that holds its key.'));

export const serverHeaders = headers.check(describe('Sent to the address.'));

interface ServerPlace {
  readonly command?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A program or an address, and beside it only what belongs to it. */
export const serverChecks = <Server extends ServerPlace>() => [
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
