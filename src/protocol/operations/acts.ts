import { z } from 'zod';
import { deliveredSchema, rolledBackSchema } from './answers/delivered.ts';
import { json, line, queuedSchema, run } from './parts.ts';
import { farWishes, limitWishes, wishes } from './wishes.ts';

// Operations on runs: one schema for the request and one for the answer, for every interface (R2).

const text = z.string().max(1_000_000);
const input = z.record(z.string().regex(/^[^=\s][^=]*$/), json);
const about = { run: z.string() };

const start = {
  workflow: line.describe('A name, or a file with #name'),
  input: z.union([input, text]).default({}).describe('By name, or one text for the first'),
};

const resume = { definition: z.enum(['started', 'new']).exactOptional() };

const answer = {
  question: line.describe('Its name or id'),
  text,
  files: line.exactOptional().describe('The mark of the question; refused (ANSWER_VOID) once the files have changed'),
};

const fork = {
  at: line.describe('A record, a state, state#2 for its second visit, or start'),
  input: input.exactOptional().describe('Inputs that are different from what they were'),
  title: line.exactOptional(),
  tell: z
    .array(z.strictObject({ agent: line, text }))
    .max(64)
    .readonly()
    .exactOptional()
    .describe('Messages that its agents get first'),
};

const branch = z.strictObject({ kind: z.literal('branch'), name: line.exactOptional() });
const apply = z.strictObject({ kind: z.literal('apply') });
const target = z.discriminatedUnion('kind', [branch, z.strictObject({ kind: z.literal('patch'), file: line }), apply]);

const ofResult = { run, agent: line.exactOptional(), workspace: line.exactOptional() };

/** Operations that make a run continue: a process drives it from then on, possibly another one. */
export const ORDERS = {
  start: {
    request: z.strictObject({ ...start, ...wishes }),
    /** The part that a page or an agent may request. */
    far: z.strictObject({ ...start, ...farWishes }),
    answer: z.strictObject({ kind: z.literal('run.started'), ...about }),
  },
  resume: {
    request: z.strictObject({ run, ...resume, ...wishes }),
    far: z.strictObject({ run, ...resume, limits: limitWishes.exactOptional(), deliver: farWishes.deliver }),
    answer: z.strictObject({ kind: z.literal('run.resumed'), ...about }),
  },
  answer: {
    request: z.strictObject({ run, ...answer, ...wishes }),
    far: z.strictObject({ run, ...answer }),
    answer: z.strictObject({ kind: z.literal('answer.taken'), ...about, question: z.string() }),
  },
  fork: {
    request: z.strictObject({ run, ...fork, ...wishes }),
    far: z.strictObject({ run, ...fork, deliver: farWishes.deliver }),
    answer: z.strictObject({
      kind: z.literal('run.forked'),
      ...about,
      from: z.strictObject({ run: z.string(), seq: z.number() }).describe('Where it leaves the other run'),
    }),
  },
} as const;

const reason = { request: z.strictObject({ run, reason: line.exactOptional() }) };

/** About a run that is over. */
const decision = z.strictObject({ run, isUndone: z.literal(true).exactOptional().describe('Take it back') });

const step = {
  run,
  to: line.describe('A step of the run'),
  only: z.enum(['files', 'conversation']).exactOptional(),
};

/** Operations that are complete when they return. */
export const IMMEDIATE_ACTS = {
  tell: {
    request: z.strictObject({ run, agent: line.describe('Its name; t3/coder for one of a run below'), text }),
    answer: z.strictObject({
      kind: z.literal('agent.told'),
      ...about,
      agent: z.string(),
      isDriven: z.boolean(),
      queued: queuedSchema.exactOptional(),
    }),
  },
  pause: { ...reason, answer: z.strictObject({ kind: z.literal('run.paused'), ...about }) },
  cancel: {
    ...reason,
    answer: z.strictObject({
      kind: z.literal('run.cancelled'),
      ...about,
      isAsked: z.literal(true).exactOptional().describe('It ends when a worker takes it'),
    }),
  },
  deliver: {
    request: z.strictObject({
      ...ofResult,
      to: target
        .exactOptional()
        .describe(
          'A branch (in git) or a patch (elsewhere) where none is named; a request with nothing but the run repeats what was asked for when it started',
        ),
      verify: line.exactOptional(),
      ours: z.array(line).max(1000).readonly().exactOptional(),
      theirs: z.array(line).max(1000).readonly().exactOptional(),
      allow: z
        .array(z.enum(['unverified', 'conflicts', 'steering']))
        .max(3)
        .readonly()
        .exactOptional()
        .describe('What is refused or held back by default'),
    }),
    /** The part that an agent may request. */
    far: z.strictObject({ ...ofResult, to: z.discriminatedUnion('kind', [branch, apply]).exactOptional() }),
    answer: deliveredSchema,
  },
  discard: {
    request: decision,
    answer: z.strictObject({
      kind: z.literal('result.discarded'),
      ...about,
      by: z.string(),
      isUndone: z.literal(true).exactOptional(),
      removed: z.array(z.string()).readonly().describe('Branches and patches that Troupe had made'),
      kept: z.array(z.string()).readonly().describe('Branches that somebody else named or works on'),
    }),
  },
  archive: {
    request: decision,
    answer: z.strictObject({
      kind: z.literal('run.archived'),
      ...about,
      by: z.string(),
      isUndone: z.literal(true).exactOptional(),
    }),
  },
  rollback: {
    request: z.strictObject({
      ...step,
      isPreview: z.boolean().exactOptional().describe('Only say what would go back'),
    }),
    /** The part that an agent may request. */
    far: z.strictObject(step),
    answer: rolledBackSchema,
  },
} as const;

type Asked<Table extends Readonly<Record<string, { readonly request: z.ZodType }>>> = {
  [Kind in keyof Table]: { readonly kind: Kind } & Readonly<z.input<Table[Kind]['request']>>;
}[keyof Table];

export type Order = Asked<typeof ORDERS>;
export type ImmediateAct = Asked<typeof IMMEDIATE_ACTS>;
export type Act = Order | ImmediateAct;
