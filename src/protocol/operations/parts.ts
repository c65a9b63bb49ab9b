import type { ProblemCode } from '../../core/codes/problem-codes.ts';
import type { FailureCode } from '../../core/codes/codes.ts';
import { z } from 'zod';
import type { Json, JsonObject } from '../../core/model/json.ts';
import type { Problem } from '../../core/model/fault.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { RESULT_KINDS, RESULT_WORDS, type ResultState } from '../../core/look/result-state.ts';
import type { Usage } from '../../core/model/usage.ts';
import type { QueuedReason } from '../status-word.ts';
import { FAILURE_CLASSES, OUTCOMES, type Failure } from '../../core/model/outcome.ts';

// Parts shared by many answers. Only types of the core are described here; everything else has its schema in the file of its view.

export type Wire<Schema extends z.ZodType> = Readonly<z.output<Schema>>;

/** Read-only for all readers. */
export const list = <Item extends z.ZodType>(item: Item): z.ZodType<readonly z.output<Item>[]> => z.array(item);

/** A type of the engine's core, which is described where it is defined. */
export const core = <Value>() => z.custom<Value>();

/** A text of one line that a person wrote: a name, a path, a command. */
export const line = z.string().min(1).max(10_000);
/** A name that someone gives to something of Troupe's. */
export const plainName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'A name has small letters, digits, dots, dashes and underscores, at most 64');
export const run = line.describe('The id of a run');
export const json = core<Json>();
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);
export const outcome = z.enum(OUTCOMES);
export const queuedSchema: z.ZodType<QueuedReason> = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('free-soon'), text: z.string() }),
    z.object({ kind: z.literal('sleeps'), text: z.string(), until: z.number() }),
    z.object({ kind: z.literal('lacks'), text: z.string() }),
  ])
  .describe('Why no worker drives it although it wants to go on; only where it lacks a worker a person has to act');
export const runStatusSchema = z.enum(['running', 'waiting', 'paused', 'settled']);
export const costUsd = z.number().nullable().describe('null: at least one call had no known price');

export const usage: z.ZodType<Usage> = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  calls: z.number(),
});

export const failure: z.ZodType<Failure> = z.object({
  code: z.string() as unknown as z.ZodType<FailureCode>,
  message: z.string(),
  class: z.enum(FAILURE_CLASSES),
  retryAfterMs: z.number().exactOptional(),
  hint: z.string().exactOptional(),
  overflow: z.object({ window: z.number().exactOptional(), tokens: z.number().exactOptional() }).exactOptional(),
});

export const problemSchema: z.ZodType<Problem> = z.object({
  code: z.string() as unknown as z.ZodType<ProblemCode>,
  message: z.string(),
  severity: z.enum(['error', 'warning']),
  file: z.string().exactOptional(),
  at: z.object({ line: z.number(), column: z.number() }).exactOptional(),
  path: z.string().exactOptional().describe('Where in the document, such as states[2].transition[0].condition'),
  hint: z.string().exactOptional(),
});

/** The parts that every workflow has; `troupe schema workflow` describes all of them. */
export const workflowSchema = z.looseObject({
  name: z.string(),
  description: z.string(),
  family: z.string(),
  inputs: list(z.looseObject({ name: z.string(), type: z.string() })),
  start: z.string().describe('The name of its first state'),
  states: z.record(z.string(), z.looseObject({ kind: z.enum(['work', 'end']) })),
  contexts: list(z.looseObject({ name: z.string() })),
  agents: list(z.looseObject({ name: z.string() })),
}) as unknown as z.ZodType<Workflow>;

export const resultStateSchema: z.ZodType<ResultState> = z
  .object({
    state: z.enum(RESULT_WORDS),
    kind: z.enum(RESULT_KINDS),
    where: z.string().exactOptional().describe('The branch, or the file of the patch'),
    isUnverified: z.literal(true).exactOptional().describe('The user took files that are not verified'),
  })
  .describe('What became of its result, and where it is');

export const firedScheduleSchema = z
  .object({ name: z.string(), at: z.number() })
  .exactOptional()
  .describe('The schedule that began it, and for which time');

/** How every list is answered. */
export const listAnswer = <Kind extends string, Item extends z.ZodType>(kind: Kind, item: Item) =>
  z.object({
    kind: z.literal(kind),
    items: list(item),
    next: z.string().nullable().describe('For the next page; null at the end'),
  });
