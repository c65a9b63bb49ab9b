import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import type { BadArguments, FaultReply, Reply, Say, ScriptedFault } from './rule.ts';

/** A reply as people write it; plain text is a reply that says it. Not a union, which would hide what is wrong inside. */
export const replySchema: z.ZodType<Reply> = z.lazy(() =>
  z.preprocess((value) => (typeof value === 'string' ? { say: value } : value), fieldsSchema).transform(toReply),
);

export const stepsSchema: z.ZodType<Reply[]> = z.array(replySchema).min(1);

const whole = z.int().min(0);

const fieldsSchema = z
  .strictObject({
    say: z.string(),
    think: z.string(),
    tools: z.array(
      z.strictObject({ name: z.string().min(1), arguments: z.json().default({}), raw: z.string().optional() }),
    ),
    usage: z.strictObject({ input: whole, output: whole, cache_read: whole.default(0), cache_write: whole.default(0) }),
    delay_ms: whole,
    chunk: z.int().min(1),
    finish: z.enum(['done', 'length', 'filtered']),
    status: z.int().min(400).max(599),
    retry_after: z.number().min(0),
    error: z.string(),
    message: z.string(),
    overloaded: z.literal(true),
    stream_error: z.string(),
    cut: z.literal(true),
    hang: z.literal(true),
    malformed: z.literal(true),
    empty: z.literal(true),
    bad_arguments: z.union([z.literal(true), z.enum(['text', 'schema'])]),
    tool: z.string(),
    times: z.int().min(1),
    // oxlint-disable-next-line unicorn/no-thenable -- the file format's own word, and a schema is no promise
    then: replySchema,
  })
  .partial()
  .superRefine((fields, context) => {
    const kinds = KINDS.filter((kind) => fields[kind] !== undefined);
    if (kinds.length > 1) return context.addIssue(`A reply cannot be "${kinds.join('" and "')}" at once.`);
    const kind = kinds[0] ?? 'say';
    if (kind === 'say' && !SPOKEN.some((name) => fields[name] !== undefined)) context.addIssue(SAYS_NOTHING);
    for (const name of Object.keys(fields)) {
      if (name !== kind && !FIELDS_OF[kind].includes(name)) context.addIssue(strayField(name, kind));
    }
  });

type Fields = z.infer<typeof fieldsSchema>;

const KINDS = ['status', 'overloaded', 'stream_error', 'cut', 'hang', 'malformed', 'empty', 'bad_arguments'] as const;
const SPOKEN = ['say', 'tools', 'finish'] as const;
const SAYS_NOTHING =
  'A reply says something, calls tools or names a fault; for one that says nothing write "empty: true".';
const REPEATED = ['times', 'then'];
const FIELDS_OF: Readonly<Record<(typeof KINDS)[number] | 'say', readonly string[]>> = {
  say: ['think', 'tools', 'usage', 'delay_ms', 'chunk', 'finish'],
  status: ['retry_after', 'error', 'message', ...REPEATED],
  overloaded: REPEATED,
  stream_error: REPEATED,
  cut: ['say', ...REPEATED],
  hang: REPEATED,
  malformed: REPEATED,
  empty: REPEATED,
  bad_arguments: ['tool', ...REPEATED],
};

function strayField(name: string, kind: string): string {
  return kind === 'say'
    ? `"${name}" means nothing without the kind of fault it belongs to.`
    : `"${name}" does not go together with "${kind}".`;
}

function toReply(value: Fields): Reply {
  const times = value.times ?? null;
  const afterwards = value.then ?? null;
  if (value.bad_arguments !== undefined) {
    const how = value.bad_arguments === true ? 'text' : value.bad_arguments;
    return { kind: 'bad-arguments', how, tool: value.tool ?? null, times, afterwards } satisfies BadArguments;
  }
  const fault = toFault(value);
  return fault === null ? toSay(value) : ({ kind: 'fault', fault, times, afterwards } satisfies FaultReply);
}

function toFault(fields: Fields): ScriptedFault | null {
  if (fields.status !== undefined) {
    const { status, retry_after: retryAfter = null, error = null, message = null } = fields;
    return { kind: 'status', status, retryAfter, error, message };
  }
  if (fields.stream_error !== undefined) return { kind: 'stream-error', error: fields.stream_error };
  if (fields.cut !== undefined) return { kind: 'cut', text: fields.say ?? 'This reply ends in the middle of a sen' };
  const plain = (['overloaded', 'hang', 'malformed', 'empty'] as const).find((kind) => fields[kind] !== undefined);
  return plain === undefined ? null : { kind: plain };
}

function toSay(fields: Fields): Say {
  const usage = fields.usage;
  return {
    kind: 'say',
    text: fields.say ?? '',
    think: fields.think ?? '',
    tools: (fields.tools ?? []).map((tool) => ({
      name: tool.name,
      arguments: tool.arguments as Json,
      raw: tool.raw ?? null,
    })),
    usage:
      usage === undefined
        ? null
        : { input: usage.input, output: usage.output, cacheRead: usage.cache_read, cacheWrite: usage.cache_write },
    delayMs: fields.delay_ms ?? 0,
    chunk: fields.chunk ?? null,
    finish: fields.finish ?? 'done',
  };
}
