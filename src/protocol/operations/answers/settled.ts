import { z } from 'zod';
import { questionViewSchema } from './question.ts';
import { outcome, resultStateSchema, json, usage, costUsd, failure, list, type Wire } from '../parts.ts';

/** The last line of `run --json`, whatever happened; for a run that waits, `outcome` says what it would be left as. */
export const settledLineSchema = z.object({
  kind: z
    .enum(['run.settled', 'run.waiting'])
    .describe('`run.waiting`: it continues only when a person acts; `status` says why.'),
  run: z.string(),
  status: z.enum(['settled', 'waiting', 'paused', 'running']),
  outcome,
  result: resultStateSchema,
  output: json,
  usage,
  costUsd,
  failure: failure.nullable(),
  question: questionViewSchema.nullable(),
  questions: list(questionViewSchema).exactOptional().describe('All of them, where there are several'),
  folder: z.string().nullable(),
  next: list(z.string())
    .exactOptional()
    .describe('Commands that let a waiting run continue or end it, in what is printed'),
});

export type SettledLine = Wire<typeof settledLineSchema>;
