import type { Context } from 'hono';
import type { z } from 'zod';
import { Fault } from '../../core/fault.ts';
import { runId } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Backstage } from '../backstage.ts';
import { schemaProblems } from '../../protocol/schema-problems.ts';
import { readBody } from './read-body.ts';

/** The body of a request as its schema says; with all that is wrong with it. No body at all is an empty one. BODY_INVALID, BODY_TOO_LARGE. */
export async function bodyOf<Body>(context: Context, schema: z.ZodType<Body>): Promise<Body> {
  const text = await readBody(context);
  return checked(schema, text === '' ? {} : parsed(text), 'The body');
}

/** QUERY_INVALID. */
export function queryOf<Query>(context: Context, schema: z.ZodType<Query>): Query {
  return checked(schema, context.req.query(), 'The query');
}

/** What a command printed. */
export const jsonAnswer = (context: Context, value: Json): Response =>
  context.body(JSON.stringify(value), 200, { 'Content-Type': 'application/json' });

/** The run that the path names, by its whole id. RUN_UNKNOWN. */
export async function runOf(context: Context, { journal }: Pick<Backstage, 'journal'>): Promise<RunInfo> {
  const name = context.req.param('run') ?? '';
  const info = await journal.run(runId(name));
  if (info !== undefined) return info;
  throw new Fault('RUN_UNKNOWN', `There is no run "${name}".`, { hint: 'It may have been removed. See: troupe list' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault('BODY_INVALID', `The body is no JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}

function checked<Value>(schema: z.ZodType<Value>, value: unknown, what: 'The body' | 'The query'): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const code = what === 'The body' ? 'BODY_INVALID' : 'QUERY_INVALID';
  const problems = schemaProblems(result.error, code);
  const first = problems[0]?.message ?? '';
  throw new Fault(code, `${what} is not as it must be. ${first}`.trim(), { problems });
}
