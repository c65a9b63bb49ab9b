import type { Context } from 'hono';
import { z } from 'zod';
import { Fault } from '../../core/model/fault.ts';
import { runId } from '../../core/model/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import { checkedRequest } from '../../protocol/checked-request.ts';
import type { Operations } from '../operations.ts';

const HINT = 'GET /api/openapi.json describes what every route takes.';
const MOST_BYTES = 1024 * 1024;

/** The body as its schema says; no body at all is an empty one. REQUEST_INVALID, BODY_TOO_LARGE. */
export async function bodyOf<Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.output<Schema>> {
  const text = await readBody(context);
  return checkedRequest(schema, text === '' ? {} : parsed(text), HINT);
}

/** The query as its schema says, which may want more than text. REQUEST_INVALID. */
export function queryOf<Schema extends z.ZodObject>({ req }: Context, schema: Schema): z.output<Schema> {
  const given = Object.entries(req.query()).map(([name, text]) => [name, queryValue(schema.shape[name], text)]);
  return checkedRequest(schema, Object.fromEntries(given), HINT);
}

/** A flag needs no value; the items of a list have commas between. */
function queryValue(schema: z.core.$ZodType | undefined, text: string): unknown {
  if (schema === undefined) return text;
  if ('innerType' in schema._zod.def) return queryValue(schema._zod.def.innerType as z.core.$ZodType, text);
  if (schema instanceof z.ZodNumber) return text.trim() === '' ? text : Number(text);
  if (schema instanceof z.ZodArray || schema instanceof z.ZodTuple) return text.split(',').filter(Boolean);
  const isFlag = schema instanceof z.ZodLiteral || schema instanceof z.ZodBoolean;
  return isFlag && ['', '1', 'true'].includes(text) ? true : text;
}

/** The run that the path names, by its whole id. RUN_UNKNOWN. */
export async function runOf(context: Context, { journal }: Pick<Operations, 'journal'>): Promise<RunInfo> {
  const name = context.req.param('run') ?? '';
  const info = await journal.run(runId(name));
  if (info !== undefined) return info;
  throw new Fault('RUN_UNKNOWN', `There is no run "${name}".`, { hint: 'It may have been removed. See: troupe list' });
}

/** Never more of it in memory than it may have, whether or not it says its length. */
async function readBody({ req }: Context): Promise<string> {
  if (Number(req.header('content-length') ?? 0) > MOST_BYTES) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of req.raw.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

const tooLarge = (): Fault => new Fault('BODY_TOO_LARGE', `A body may have ${MOST_BYTES} bytes at most.`);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw new Fault('REQUEST_INVALID', `The body is not JSON: ${why}`, { cause: error });
  }
}
