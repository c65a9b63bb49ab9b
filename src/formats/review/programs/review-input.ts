import * as z from 'zod/mini';
import type { Json } from '../../../core/model/json.ts';
import { NEXT_EVENTS } from '../rules/review-event.ts';
import type { CommandEvidence } from '../rules/review-state.ts';

/** Inputs of the review programs, besides the state that they keep. */

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
  /** The command that judges it, and the files of it that the user guards. */
  command: z.string(),
  protect: z.array(z.string()),
});

export type HybridInput = z.infer<typeof hybridSchema>;

/** A reviewer, whose workspace gets the files; an author, whose files are looked at. */
export const lookedAtSchema = z.object({ agent: z.string() });

export const nextSchema = z.object({ event: z.enum(NEXT_EVENTS) });

const count = z.optional(z.nullable(z.number()));

const evidenceSchema = z.looseObject({
  isGreen: z.boolean(),
  exitCode: z.nullable(z.number()),
  output: z.string(),
  tampered: z.array(z.object({ path: z.string(), how: z.string() })),
  extended: z.optional(z.array(z.string())),
  isUnusable: z.optional(z.boolean()),
  command: z.optional(z.string()),
  problem: z.optional(z.nullable(z.string())),
  ms: z.optional(z.number()),
  passed: count,
  failed: count,
});

/** The evidence of a unit that verified an implementation; red with a reason if there is none. */
export function evidenceIn({
  output,
  reason,
}: {
  readonly output: Json;
  readonly reason: string | null;
}): CommandEvidence {
  const parsed = evidenceSchema.safeParse(output);
  return parsed.success
    ? (parsed.data as CommandEvidence)
    : { isGreen: false, exitCode: null, output: reason ?? '', tampered: [] };
}
