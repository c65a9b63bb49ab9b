import { z } from 'zod';
import type { ClockFace } from '../../core/fold/run-clock.ts';
import { questionViewSchema } from '../operations/answers/question.ts';
import {
  outcome,
  resultStateSchema,
  queuedSchema,
  usage,
  costUsd,
  core,
  list,
  type Wire,
} from '../operations/parts.ts';

/**
 * `needs-you`: it asks, met a limit, or has neither driver nor worker. `ready`: it came out well, and its result can be delivered.
 * `failed`: it did not come out well, or its result was refused. `done`: its result was delivered or discarded, it has none, or a
 * person cancelled it.
 */
export const columnSchema = z.enum(['running', 'needs-you', 'ready', 'failed', 'done']);

const cardDetailsSchema = z.object({
  usage,
  costUsd: costUsd.describe('null: at least one call had no known price'),
  clock: core<ClockFace>().describe('How long it has taken (`timeNow`)'),
  state: z.string(),
  agents: list(z.string()).describe('Those at work now'),
  questions: list(questionViewSchema).describe('Its own and those of the runs below it'),
  overlaps: list(z.string())
    .exactOptional()
    .describe('Files that several of its workspaces changed and that are not merged yet, a line each'),
  failure: z.string().nullable().describe('The sentence of its failure'),
  hints: list(z.string()).describe('Commands for what can be done with its result now'),
});

/** A run on the board: all that is shown of it without opening it. */
export const runCardSchema = z.object({
  run: z.string(),
  workflow: z.string(),
  title: z.string(),
  project: z.string(),
  column: columnSchema,
  status: z.enum(['running', 'queued', 'stopped', 'waiting', 'paused', 'settled']),
  queued: queuedSchema.exactOptional(),
  outcome: outcome.nullable(),
  result: resultStateSchema,
  isArchived: z.literal(true).exactOptional().describe('The board leaves it out'),
  driven: z.boolean().describe('A live process drives it now'),
  startedAt: z.number(),
  updatedAt: z.number(),
  endedAt: z.number().nullable(),
  seq: z.number().describe('Number of the newest record'),
  details: cardDetailsSchema
    .nullable()
    .describe('What it takes a fold to know; null until somebody has folded it, and where it cannot be read'),
  damage: z.string().nullable().describe('Why it cannot be read'),
});

export const runPageSchema = z.object({
  cards: list(runCardSchema),
  counts: z.record(columnSchema, z.number()).describe('How many there are by column, with the same search and filters'),
  next: z.string().nullable().describe('For the next page; null at the end'),
});

export type RunCard = Wire<typeof runCardSchema>;
export type CardDetails = Wire<typeof cardDetailsSchema>;
export type Column = Wire<typeof columnSchema>;
export type RunPage = Wire<typeof runPageSchema>;
