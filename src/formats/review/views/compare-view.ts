import { z } from 'zod';
import { decisionViewSchema } from './debate-view.ts';
import { lostImplementationSchema } from './answers/lost.ts';
import { reviewRunSchema } from './answers/review-run.ts';
import { spendingFiguresSchema } from './answers/spending.ts';
import { SEVERITIES } from '../rules/finding.ts';
import { outcome, list, type Wire } from '../../../protocol/operations/parts.ts';

const evidenceViewSchema = z.object({
  isGreen: z.boolean(),
  exitCode: z.number().nullable(),
  passed: z.number().nullable().describe('Null: the output does not say'),
  failed: z.number().nullable(),
  problem: z.string().nullable().describe('Why the command did not finish'),
  output: z.string().describe('The end of what it printed'),
  ms: z.number().nullable(),
  tampered: list(z.object({ path: z.string(), how: z.string() })).describe(
    "What the command is made of and the implementer changed; the user's own was used instead",
  ),
});

/** Against what it began with. */
const diffSizeSchema = z.object({
  files: z.number(),
  added: z.number(),
  removed: z.number(),
  binary: z.number(),
  of: z.enum(['now', 'first']).describe('`first`: as it was first packed, since the files are no longer stored'),
});

const findingCountsSchema = z.object({
  against: z
    .record(z.enum(SEVERITIES), z.number())
    .describe('What stands or is open, also where it rests; that about no one in particular counts for each'),
  done: z.number().describe('Fixed, withdrawn or refuted'),
});

const implementationViewSchema = z.object({
  id: z.string(),
  models: list(z.string()).describe('The models that answered for it'),
  standing: z
    .enum(['merged', 'best', 'unmerged', 'unverified', 'judged', 'aside', 'unreviewed', 'lost', 'working'])
    .describe(
      '`merged`: its files are the result. `best`: it was found best. `unmerged`: it was to be the result, and could not be. `unverified`: the same, since the command was red on it or it changed what the command is made of. `judged`: it takes part. `aside`: others were chosen. `unreviewed`: it succeeded, but no reviewer has seen it. `lost`: it failed. `working`: it is not finished yet.',
    ),
  outcome: outcome.nullable().describe('How its last turn came out; null while it continues, or where it had none'),
  lost: lostImplementationSchema.nullable(),
  evidence: evidenceViewSchema.nullable().describe('Null where nothing was run'),
  diff: diffSizeSchema.nullable().describe('Null where it is not known'),
  findings: findingCountsSchema,
  rank: z.number().nullable().describe('1 is the best; null if no reviewer ranked it'),
  points: z.number().nullable().describe('Of a Borda count over the last rankings of the reviewers'),
  revisions: z.number().describe('How often its author went over it again'),
  spending: spendingFiguresSchema,
});

/** The output of `compare --json` (PD5). Fields are added, never renamed; times are in milliseconds. */
export const compareViewSchema = z.object({
  ...reviewRunSchema.shape,
  kind: z.literal('compare'),
  verify: z.string().nullable().describe("The user's command; null where none was named"),
  pick: z.string().nullable().describe('How the best one is found'),
  revisions: z.number().describe('Rounds of revision so far'),
  implementations: list(implementationViewSchema),
  winner: z
    .string()
    .nullable()
    .describe('The one that was merged, or should have been; before that the one that was found best'),
  isMerged: z.boolean(),
  decision: decisionViewSchema.nullable(),
});

export type CompareView = Wire<typeof compareViewSchema>;
export type ImplementationView = Wire<typeof implementationViewSchema>;
export type EvidenceView = Wire<typeof evidenceViewSchema>;
export type DiffSize = Wire<typeof diffSizeSchema>;
export type FindingCounts = Wire<typeof findingCountsSchema>;
