import * as z from 'zod/mini';
import type { Json } from '../../../core/model/json.ts';
import { SEVERITIES } from '../rules/finding.ts';
import type { Ledger } from '../rules/ledger.ts';

/** What the programs of a review are given. The workflow that asks is lowered by this version, so the ledger is trusted. */

const anyJson = z.custom<Json>((value) => value !== undefined);
const treeText = z.string().check(z.regex(/^[0-9a-f]{40,64}$/, { error: 'must be the name of a tree' }));

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const ledgerSchema = z.custom<Ledger>((value) => isRecord(value) && 'findings' in (value as object), {
  error: 'must be a ledger',
});

export const verifySchema = z.object({
  id: z.string(),
  agent: z.string(),
  command: z.string(),
  protect: z.nullable(z.array(z.string())),
  timeoutMs: z.optional(z.number()),
});

export const tamperedSchema = z.object({ agent: z.string(), command: z.string(), protect: z.array(z.string()) });

export const trySchema = z.object({ command: z.string(), timeoutMs: z.optional(z.number()) });

/** What `review.verify` found, or only why it did not come to that. */
const evidenceSchema = z.object({
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
  /** A reviewer: its workspace gets the files. Null: none does. */
  agent: z.nullable(z.string()),
});

export type PackInput = z.infer<typeof packSchema>;

const engineFinding = z.object({
  implementation: z.string(),
  severity: z.enum(SEVERITIES),
  priority: z.number(),
  file: z.nullable(z.string()),
  line: z.null(),
  claim: z.string(),
  change: z.string(),
});

/** What `review.pack` made, as far as others read it. */
const packGiven = z.object({
  text: z.optional(z.string()),
  engine: z.optional(z.array(engineFinding)),
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
  /** What will judge it, and what the user guards of it. */
  command: z.optional(z.string()),
  protect: z.optional(z.array(z.string())),
});

export type HybridInput = z.infer<typeof hybridSchema>;

export const openSchema = z.object({
  reviewers: z.array(z.string()),
  implementations: z.array(z.string()),
  maxRounds: z.number(),
});

const callGiven = z.object({ name: z.string(), arguments: anyJson });

type CallGiven = z.infer<typeof callGiven>;

/** As the workflow finds it with the agent, or without what is around it. */
const plainCall = (call: CallGiven | { readonly function: CallGiven }): CallGiven =>
  'function' in call ? call.function : call;

export const takeSchema = z.object({
  ledger: ledgerSchema,
  reviewer: z.string(),
  kind: z.enum(['review', 'position']),
  calls: z.array(z.pipe(z.union([callGiven, z.object({ function: callGiven })]), z.transform(plainCall))),
  text: z.pipe(
    z.nullable(z.string()),
    z.transform((text) => text ?? ''),
  ),
  /** Why it did not answer. */
  failed: z.nullable(z.string()),
  pack: packGiven,
});

export type TakeInput = z.infer<typeof takeSchema>;

/** By the tools of the role `peer_reviewer`. */
export const REPLY_KINDS: ReadonlyMap<string, TakeInput['kind']> = new Map([
  ['hand_in_review', 'review'],
  ['hand_in_position', 'position'],
]);

/** What a judgement is compared with, as it stands among the run's data. */
export const judgedSchema = z.object({ ledger: ledgerSchema, pack: packGiven });

const evidences = z.record(z.string(), evidenceSchema);

export const decideSchema = z.object({
  ledger: ledgerSchema,
  pick: z.enum(['ranking', 'tests', 'person', 'synthesis']),
  evidence: evidences,
  asked: z.nullable(anyJson),
  synthesis: z.nullable(anyJson),
  unmixed: z.optional(z.string()),
});

export const ordersSchema = z.object({ ledger: ledgerSchema, chosen: z.array(z.string()), evidence: evidences });

export const reopenSchema = z.object({
  ledger: ledgerSchema,
  chosen: z.array(z.string()),
  maxRounds: z.number(),
  touched: z.record(z.string(), z.object({ touched: z.record(z.string(), z.boolean()) })),
  pack: packGiven,
});
