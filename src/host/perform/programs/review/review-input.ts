import * as z from 'zod/mini';
import type { Json } from '../../../../core/json.ts';
import type { Ledger } from '../../../../core/review/ledger.ts';

/** What the programs of a review are given. The workflow that asks is lowered by this version, so the ledger is trusted. */

const anyJson = z.custom<Json>((value) => value !== undefined);
const treeText = z.string().check(z.regex(/^[0-9a-f]{40,64}$/, { error: 'must be the name of a tree' }));

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
export const ledgerSchema = z.custom<Ledger>((value) => isRecord(value) && 'findings' in (value as object), {
  error: 'must be a ledger',
});

export const verifySchema = z.object({
  id: z.string(),
  agent: z.string(),
  command: z.string(),
  protect: z.nullable(z.array(z.string())),
  timeoutMs: z.optional(z.number()),
});

/** What `review.verify` found, or only why it did not come to that. */
export const evidenceSchema = z.object({
  isGreen: z.optional(z.boolean()),
  command: z.optional(z.string()),
  exitCode: z.optional(z.nullable(z.number())),
  output: z.optional(z.nullable(z.string())),
  ms: z.optional(z.number()),
  passed: z.optional(z.nullable(z.number())),
  failed: z.optional(z.nullable(z.number())),
  problem: z.optional(z.nullable(z.string())),
  tampered: z.optional(z.array(z.object({ path: z.string(), how: z.string() }))),
  extended: z.optional(z.array(z.string())),
});

export type EvidenceInput = z.infer<typeof evidenceSchema>;

export const packSchema = z.object({
  implementations: z.array(z.object({ id: z.string(), agent: z.string(), evidence: z.nullable(evidenceSchema) })),
  task: anyJson,
  since: z.nullable(z.record(z.string(), treeText)),
  /** A reviewer: its workspace gets the files. */
  agent: z.string(),
});

export type PackInput = z.infer<typeof packSchema>;

/** What `review.pack` made, as far as others read it. */
export const packGiven = z.object({
  text: z.optional(z.string()),
  trees: z.record(z.string(), treeText),
  diffs: z.record(
    z.string(),
    z.object({
      files: z.array(z.object({ path: z.string(), how: z.optional(z.string()) })),
      hunks: z.record(z.string(), z.array(z.array(z.number()))),
    }),
  ),
});

export type PackGiven = z.infer<typeof packGiven>;

export const touchedSchema = z.object({
  id: z.string(),
  agent: z.string(),
  since: treeText,
  ledger: ledgerSchema,
});

export const hybridSchema = z.object({
  /** A tree, or the name of an implementation; what all of them began with unless given. */
  base: z.optional(z.nullable(z.string())),
  parts: z.array(z.object({ implementation: z.string(), paths: z.array(z.string()) })),
  /** Whose workspace gets the files. */
  agent: z.optional(z.string()),
});

export type HybridInput = z.infer<typeof hybridSchema>;
