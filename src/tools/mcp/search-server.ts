import type { CallToolResult } from '@modelcontextprotocol/client';
import type { McpService } from '../port.ts';
import { readHits } from '../web/search-hits.ts';
import type { Hit } from '../web/search-hits.ts';
import type { McpSearchSettings } from '../web/settings.ts';
import { withoutValues } from '../../secrets/without-values.ts';
import { callServer } from './call-server.ts';
import { endpointSecrets } from './endpoint.ts';
import { searchArguments } from './search-arguments.ts';

/** Asks an MCP server's tool to search: hits where it answers with data that is known, else what it says as text. */
export async function searchServer(
  settings: McpSearchSettings,
  question: ServerQuestion,
  service: McpService | undefined,
): Promise<readonly Hit[] | string> {
  const { query, count, signal } = question;
  const argumentsFor = (schema: unknown) => searchArguments(schema, { query, count });
  const result = await callServer({ settings, argumentsFor, signal }, service);
  if (result.isError === true) {
    const why = withoutValues(textOf(result), endpointSecrets(settings, service));
    throw new Error(`The search failed: ${why || 'the server did not say why'}`);
  }
  const data = result.structuredContent === undefined ? textOf(result) : JSON.stringify(result.structuredContent);
  return hitsIn(data) ?? textOf(result);
}

export interface ServerQuestion {
  readonly query: string;
  readonly count: number;
  readonly signal: AbortSignal;
}

function hitsIn(text: string): readonly Hit[] | null {
  try {
    return readHits(text, 'json');
  } catch {
    return null;
  }
}

/** Bounded: a page of text is plenty for a list of results. */
function textOf({ content }: CallToolResult): string {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n[… the rest was left out …]` : text.trim();
}

const MAX_CHARS = 20_000;
