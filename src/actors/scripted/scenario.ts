import * as z from 'zod/mini';
import type { Problem } from '../../core/model/fault.ts';
import type { Json } from '../../core/model/json.ts';
import { defined } from '../../source/defined.ts';
import { type Locate, nowhere } from '../../source/place.ts';
import { problemReport } from '../../source/problem-report.ts';
import { reportIssues } from '../../source/schema-problems.ts';
import { freeText, nameText, wholeNumber } from '../../source/schema-parts.ts';
import type { BadArguments, Condition, FaultReply, Reply, Rule, Say, Scenario, ScriptedFault } from './rule.ts';

/** A reply as people write it; plain text is a reply that says it. Not a union, which would hide what is wrong inside. */
const replySchema: z.ZodMiniType<Reply> = z.lazy(() =>
  z.pipe(z.pipe(z.transform(spelledOut), fieldsSchema), z.transform(toReply)),
);

export const stepsSchema: z.ZodMiniType<Reply[]> = z
  .array(replySchema, { error: 'must be a list of replies' })
  .check(z.minLength(1, { error: 'must have at least one reply' }));

const spelledOut = (value: unknown): unknown => (typeof value === 'string' ? { say: value } : value);

/** Messages are the ends of sentences, put behind the name of the key. */
const NOT_WHOLE = 'must be a whole number, zero or more';
const whole = z.int({ error: NOT_WHOLE }).check(z.minimum(0, { error: NOT_WHOLE }));
const NO_STATUS = 'must be a status of an error, 400 to 599';
const NO_WAIT = 'must be a number of seconds, zero or more';
const only = z.literal(true, { error: 'can only be true, or be left out' });

const toolSchema = z.strictObject({
  name: nameText,
  arguments: z._default(z.json(), {}),
  raw: z.optional(freeText),
});

const usageSchema = z.strictObject({
  input: whole,
  output: whole,
  cache_read: z._default(whole, 0),
  cache_write: z._default(whole, 0),
});

const fieldsSchema = z
  .partial(
    z.strictObject({
      say: freeText,
      think: freeText,
      tools: z.array(toolSchema, { error: 'must be a list of tool calls' }),
      usage: usageSchema,
      delay_ms: whole,
      pace_ms: whole,
      chunk: wholeNumber,
      finish: z.enum(['done', 'length', 'filtered'], { error: 'must be one of done, length, filtered' }),
      status: z
        .int({ error: NO_STATUS })
        .check(z.minimum(400, { error: NO_STATUS }), z.maximum(599, { error: NO_STATUS })),
      retry_after: z.number({ error: NO_WAIT }).check(z.minimum(0, { error: NO_WAIT })),
      error: freeText,
      message: freeText,
      overloaded: only,
      stream_error: freeText,
      cut: only,
      hang: only,
      malformed: only,
      empty: only,
      bad_arguments: z.union([z.literal(true), z.enum(['text', 'schema'])], {
        error: 'must be true, text or schema',
      }),
      tool: nameText,
      times: wholeNumber,
      then: replySchema,
    }),
  )
  .check((context) => {
    for (const message of wrongTogether(context.value)) {
      context.issues.push({ code: 'custom', message, input: context.value });
    }
  });

function wrongTogether(fields: object): readonly string[] {
  const given = new Set(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name])));
  const kinds = KINDS.filter((kind) => given.has(kind));
  if (kinds.length > 1) return [`cannot be "${kinds.join('" and "')}" at once`];
  const kind = kinds[0] ?? 'say';
  const stray = [...given].filter((name) => name !== kind && !FIELDS_OF[kind].includes(name));
  const isSilent = kind === 'say' && !SPOKEN.some((name) => given.has(name));
  return [...(isSilent ? [SAYS_NOTHING] : []), ...stray.map((name) => strayField(name, kind))];
}

type Fields = z.infer<typeof fieldsSchema>;

const KINDS = ['status', 'overloaded', 'stream_error', 'cut', 'hang', 'malformed', 'empty', 'bad_arguments'] as const;
const SPOKEN = ['say', 'tools', 'finish'] as const;
const SAYS_NOTHING =
  'must say something ("say"), call tools ("tools") or name a fault; for one that says nothing write "empty: true"';
const REPEATED = ['times', 'then'];
const FIELDS_OF: Readonly<Record<(typeof KINDS)[number] | 'say', readonly string[]>> = {
  say: ['think', 'tools', 'usage', 'delay_ms', 'pace_ms', 'chunk', 'finish'],
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
    ? `has "${name}", which means nothing without the kind of fault it belongs to`
    : `has "${name}", which does not go together with "${kind}"`;
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
    paceMs: fields.pace_ms ?? 0,
    chunk: fields.chunk ?? null,
    finish: fields.finish ?? 'done',
  };
}

/** Messages are the ends of sentences, put behind the name of the key. */
const names = listOf(freeText, 'must be a name or a list of names');
const counts = listOf(wholeNumber, 'must be a whole number above 0, or a list of such');

/** One value or several; a list either way. */
function listOf<T>(one: z.ZodMiniType<T>, error: string): z.ZodMiniType<T[]> {
  const several = z.array(one).check(z.minLength(1));
  return z.pipe(
    z.union([one, several], { error }),
    z.transform((value): T[] => (Array.isArray(value) ? value : [value])),
  );
}

/** `/…/flags` is a regular expression, anything else is searched for literally. */
const contains = z.pipe(
  freeText,
  z.transform((text: string, context): string | RegExp => {
    const match = /^\/(.+)\/([a-z]*)$/s.exec(text);
    if (match === null) return text;
    try {
      // Without `g` and `y`, which would make the answer depend on the one before.
      return new RegExp(match[1] ?? '', (match[2] ?? '').replace(/[gy]/g, ''));
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error);
      context.issues.push({ code: 'custom', message: `is not a regular expression (${why})`, input: text });
      return z.NEVER;
    }
  }),
);

const conditionSchema = z.pipe(
  z.strictObject({
    role: z.optional(names),
    agent: z.optional(names),
    state: z.optional(names),
    model: z.optional(names),
    visit: z.optional(counts),
    call: z.optional(counts),
    turn: z.optional(counts),
    attempt: z.optional(counts),
    contains: z.optional(contains),
  }),
  z.transform(({ turn, ...rest }): Condition => defined({ ...rest, call: rest.call ?? turn })),
);

const ruleSchema = z.pipe(
  z.strictObject({
    when: z._default(conditionSchema, {}),
    reply: z.optional(replySchema),
    steps: z.optional(stepsSchema),
    times: z.optional(wholeNumber),
  }),
  z.transform((rule, context): Rule => {
    const { when, reply, steps, times = null } = rule;
    if (reply !== undefined && steps === undefined) return { when, answer: { kind: 'reply', reply }, times };
    if (steps !== undefined && reply === undefined) return { when, answer: { kind: 'steps', steps }, times };
    context.issues.push({ code: 'custom', message: 'must have either "reply" or "steps"', input: rule });
    return z.NEVER;
  }),
);

const rulesSchema: z.ZodMiniType<Rule[]> = z.array(ruleSchema, { error: 'must be a list of rules' });

export const scenarioSchema: z.ZodMiniType<Scenario> = z.pipe(
  z.strictObject({ rules: rulesSchema, window: z.optional(wholeNumber) }),
  z.transform((scenario): Scenario => defined(scenario)),
);

export type { Scenario };

export type ParsedScenario =
  | { readonly kind: 'parsed'; readonly scenario: Scenario }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

export interface ScenarioOrigin {
  /** As the author knows it. */
  readonly file?: string;
  /** The way back to the lines of the file, where it comes from one. */
  readonly locate?: Locate;
}

/** Takes what a YAML or JSON file holds: a list of rules, or an object with `rules`. Tells all that is wrong at once. */
export function parseScenario(value: unknown, { file, locate = nowhere }: ScenarioOrigin = {}): ParsedScenario {
  // Two schemas rather than one of both, so that a problem's place is the one in the author's file.
  const schema = Array.isArray(value) ? rulesSchema : scenarioSchema;
  const result = schema.safeParse(value);
  if (result.success)
    return { kind: 'parsed', scenario: Array.isArray(result.data) ? { rules: result.data } : result.data };
  const report = problemReport({ file: file ?? '', locate });
  reportIssues(result.error.issues, { schema, document: value as Json }, report);
  return {
    kind: 'refused',
    problems: report.sorted().map((problem) => (file === undefined ? unnamed(problem) : problem)),
  };
}

const unnamed = ({ file: _none, ...problem }: Problem): Problem => problem;
