import type { CallToolResult } from '@modelcontextprotocol/client';
import type { McpSearchSettings, McpService } from '../port.ts';
import { type Hit, readHits } from '../web/search-hits.ts';
import { withoutValues } from '../../secrets/without-values.ts';
import { callServer } from './server-link.ts';
import { endpointSecrets } from './open-transport.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { orElse } from '../../lib/or-else.ts';
import { ServerProblem } from './process-transport.ts';

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
  return orElse(() => readHits(text, 'json'), null);
}

/** Bounded: a page of text is plenty for a list of results. */
function textOf({ content }: CallToolResult): string {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n[… the rest was left out …]` : text.trim();
}

const MAX_CHARS = 20_000;

/** A question in the words of a server's own tool: its schema says which of its arguments is meant. */
export function searchArguments(
  schema: unknown,
  { query, count }: { readonly query: string; readonly count: number },
): JsonObject {
  const properties = propertiesOf(schema);
  const names = Object.keys(properties);
  const asked = QUERY_NAMES.find((name) => names.includes(name)) ?? onlyText(properties);
  if (asked === null) throw new ServerProblem('its tool has no argument for a query');
  const counted = COUNT_NAMES.find((name) => names.includes(name) && isNumber(properties[name]));
  return {
    [asked]: typeOf(properties[asked]) === 'array' ? [query] : query,
    ...(counted === undefined ? {} : { [counted]: within(count, properties[counted]) }),
  };
}

const QUERY_NAMES = ['query', 'q', 'search_query', 'searchQuery', 'search', 'question', 'text', 'input', 'queries'];
const COUNT_NAMES = ['count', 'limit', 'max_results', 'maxResults', 'num_results', 'numResults', 'k', 'n', 'size'];

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'properties') : null;
  return typeof properties === 'object' && properties !== null ? (properties as Record<string, unknown>) : {};
}

function onlyText(properties: Readonly<Record<string, unknown>>): string | null {
  const texts = Object.keys(properties).filter((name) => typeOf(properties[name]) === 'string');
  return texts.length === 1 ? (texts[0] ?? null) : null;
}

function typeOf(property: unknown): unknown {
  return typeof property === 'object' && property !== null ? Reflect.get(property, 'type') : undefined;
}

const isNumber = (property: unknown): boolean => ['integer', 'number'].includes(String(typeOf(property)));

function within(count: number, property: unknown): number {
  const [least, most] = ['minimum', 'maximum'].map((name) => Reflect.get(property as object, name) as unknown);
  const raised = typeof least === 'number' ? Math.max(count, least) : count;
  return typeof most === 'number' ? Math.min(raised, most) : raised;
}
