import * as z from 'zod/mini';
import { NEXT_EVENTS } from '../rules/review-event.ts';

/** What the programs of a review are given, besides the state that they keep. */

export const verifySchema = z.object({
  id: z.string(),
  agent: z.string(),
  command: z.string(),
  protect: z.nullable(z.array(z.string())),
  timeoutMs: z.optional(z.number()),
});

export const hybridSchema = z.object({
  parts: z.array(z.object({ implementation: z.string(), paths: z.array(z.string()) })),
  /** Whose workspace gets the files. */
  agent: z.string(),
  /** What will judge it, and what the user guards of it. */
  command: z.string(),
  protect: z.array(z.string()),
});

export type HybridInput = z.infer<typeof hybridSchema>;

/** A reviewer, whose workspace gets the files; an author, whose files are looked at. */
export const lookedAtSchema = z.object({ agent: z.string() });

export const nextSchema = z.object({ event: z.enum(NEXT_EVENTS) });
