import * as z from 'zod/mini';
import { allowEntry, describe, headers, text, variableName, webAddress } from './setting-parts.ts';

/** `web` in the configuration: which hosts agents may read, and where they search. */

const searchUrl = webAddress.check(
  z.refine((value) => value.includes('{query}'), {
    error: 'must have {query} where the question goes, such as https://search.example.org/?q={query}',
  }),
);

const mcpSchema = z
  .strictObject({
    command: z.optional(
      z
        .array(text, { error: 'must be a list: the program, then its arguments' })
        .check(
          z.minLength(1, { error: 'must name a program' }),
          describe('The server as a program, started when needed.'),
        ),
    ),
    url: z.optional(webAddress.check(describe('The server at an address.'))),
    tool: text.check(describe('Which of its tools searches.')),
    env: z.optional(
      z
        .array(variableName, { error: 'must be a list of variable names' })
        .check(describe('Variables of your environment that the program gets, such as the one that holds its key.')),
    ),
    headers: z.optional(headers.check(describe('Sent to the address.'))),
  })
  .check(
    z.refine(({ command, url }) => (command === undefined) !== (url === undefined), {
      error: 'must have a command or a url, and not both',
    }),
    z.refine(({ url, env }) => url === undefined || env === undefined, {
      error: 'must not have env beside url; it belongs to a command',
    }),
    z.refine(({ command, headers: own }) => command === undefined || own === undefined, {
      error: 'must not have headers beside command; they belong to a url',
    }),
  );

const searchSchema = z
  .strictObject({
    url: z.optional(searchUrl.check(describe('Where web_search asks, with {query} in it.'))),
    kind: z.optional(z.enum(['searxng', 'json'], { error: 'must be "searxng" or "json"' })),
    headers: z.optional(headers),
    mcp: z.optional(mcpSchema.check(describe('An MCP server that searches, instead of a url.'))),
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
