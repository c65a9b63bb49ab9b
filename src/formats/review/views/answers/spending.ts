import { z } from 'zod';
import { REVIEW_PARTS } from '../spending-view.ts';
import { usage, costUsd, type Wire } from '../../../../protocol/operations/parts.ts';

/** Tokens, money and time of turns. */
export const spendingFiguresSchema = z.object({
  turns: z.number(),
  usage,
  costUsd: costUsd.describe('Null: at least one call had no known price'),
  knownCostUsd: z.number().describe('What is known of it'),
  ms: z.number().describe('How long somebody was at it: what went on at the same time counts once'),
  workMs: z.number().describe('The same with every turn counted by itself'),
});

export const reviewSpendingSchema = z.object({
  parts: z.record(z.enum(REVIEW_PARTS), spendingFiguresSchema),
  total: spendingFiguresSchema,
  paidBefore: z.string().nullable().describe('A fork: what came before was paid by that run and is not counted'),
});

export type SpendingFigures = Wire<typeof spendingFiguresSchema>;
export type ReviewSpending = Wire<typeof reviewSpendingSchema>;
