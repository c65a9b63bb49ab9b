import { z } from 'zod';
import { API } from './api-table.ts';
import type { RouteAnswer, RouteSpec } from './route-spec.ts';
import { WIRE } from './named-schemas.ts';
import { adminFields, neededRole } from '../../protocol/operations/access.ts';

/** The API described for others (OpenAPI 3.1), from the same schemas that requests are checked with. */
export function openApiDocument(version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of API) (paths[route.path] ??= {})[route.method] = operation(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Troupe',
      version,
      description:
        "Everything that the command line does, on this machine or on a team's server. Run ids of child runs hold slashes: encode them.",
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      schemas: wireSchemas(),
      responses: { Error: { description: 'Why not', content: jsonContent({ $ref: `${REFERENCE}ApiError` }) } },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            "The token that `troupe serve` printed; on a team's server (`--listen`) one of `troupe token new`, whose role must reach for the operation (`x-troupe-role`)",
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'troupe_PORT',
          description: 'For the page alone, from POST /api/session; what changes something needs an Origin as well',
        },
      },
    },
  };
}

function operation(route: RouteSpec): object {
  const { summary, body, errors = [] } = route;
  const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const statuses = [...(named.length === 0 ? [] : [404]), ...errors, 401, 403, 429, 500];
  return {
    operationId: nameOf(route),
    summary,
    ...roleNotes(route),
    parameters: [...named.map(pathParameter), ...queryParameters(route)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(jsonSchema(body)) } }),
    responses: {
      200: { description: 'As asked', content: contentOf(route.answer) },
      ...Object.fromEntries([...new Set(statuses)].map((status) => [status, ERROR])),
    },
  };
}

/** The least role on a team's server. */
function roleNotes({ operation: name }: RouteSpec): object {
  const fields = adminFields(name);
  const more = fields.length === 0 ? {} : { 'x-troupe-admin-fields': fields };
  return { 'x-troupe-role': neededRole(name), ...more };
}

/** Such as `getRunsRunRecords`. */
const nameOf = ({ method, path }: RouteSpec): string =>
  method +
  path
    .slice('/api'.length)
    .replaceAll(/[^a-z]+([a-z])|[^a-z]+$/g, (_, letter?: string) => (letter ?? '').toUpperCase());

const pathParameter = (name: string): object => ({ name, in: 'path', required: true, schema: { type: 'string' } });

function queryParameters({ query }: RouteSpec): readonly object[] {
  return Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required:
      schema instanceof z.ZodType && !schema.safeParse(undefined).success && !(schema instanceof z.ZodExactOptional),
    schema: jsonSchema(schema as z.ZodType),
  }));
}

const REFERENCE = '#/components/schemas/';

function contentOf(answer: RouteAnswer): object {
  if ('events' in answer) return { 'text/event-stream': { schema: jsonSchema(answer.events) } };
  if ('bytes' in answer) return { 'application/octet-stream': {}, 'text/plain': {}, 'image/*': {} };
  return jsonContent(jsonSchema(answer.schema));
}

const ERROR = { $ref: '#/components/responses/Error' };

const jsonContent = (schema: object): object => ({ 'application/json': { schema } });

const NAMED = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(WIRE)) NAMED.add(schema, { id });

/** Each once; where one holds another it refers to it. */
function wireSchemas(): object {
  const { schemas } = z.toJSONSchema(NAMED, { uri: (id) => `${REFERENCE}${id}`, ...OPTIONS });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutNames(schema)]));
}

const OPTIONS = { io: 'input', unrepresentable: 'any' } as const;

function jsonSchema(schema: z.ZodType): object {
  const id = NAMED.get(schema)?.id;
  return id === undefined ? withoutNames(z.toJSONSchema(schema, OPTIONS)) : { $ref: `${REFERENCE}${id}` };
}

/** The document says once for all which dialect of JSON Schema it is in. */
function withoutNames({ $schema: _dialect, $id: _id, ...rest }: Readonly<Record<string, unknown>>): object {
  return rest;
}
