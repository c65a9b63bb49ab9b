import * as z from 'zod/mini';
import { serverChecks, serverCommand, serverEnvironment, serverHeaders, serverUrl } from './mcp-schema.ts';
import { allowEntry, describe, headers, textSetting, webAddress } from './setting-parts.ts';

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
