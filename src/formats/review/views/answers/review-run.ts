import { z } from 'zod';
import type { Unverified } from '../../../../core/look/unverified.ts';
import {
  runStatusSchema,
  outcome,
  resultStateSchema,
  failure,
  core,
  type Wire,
} from '../../../../protocol/operations/parts.ts';

/** The run that a view of a review is about. */
export const reviewRunSchema = z.object({
  run: z.string(),
  workflow: z.string(),
  title: z.string(),
  status: runStatusSchema,
  outcome: outcome.nullable(),
  result: resultStateSchema,
  failure: failure.nullable(),
  driven: z.boolean().describe('A live process drives it now'),
  task: z.string().describe('What was to be made'),
  unverified: core<Unverified>().nullable().describe('The best so far, where nothing of it came home'),
});

export type ReviewRun = Wire<typeof reviewRunSchema>;
