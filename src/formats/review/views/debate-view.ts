import { z } from 'zod';
import type { ReviewFinding } from '../rules/finding.ts';
import type { FindingState } from '../rules/open-findings.ts';
import type { MatrixCell } from '../rules/matrix.ts';
import type { Convergence, Dissent, Dropped, TestRun } from '../rules/ledger.ts';
import type { DebateSummary } from '../rules/summary.ts';
import { reviewRunSchema } from './answers/review-run.ts';
import { reviewSpendingSchema, spendingFiguresSchema } from './answers/spending.ts';
import { core, list, type Wire } from '../../../protocol/operations/parts.ts';
import { VERDICTS } from '../rules/review.ts';

const verdict = z.enum(VERDICTS);

const reviewerViewSchema = z.object({
  reviewer: z.string(),
  models: list(z.string()).describe('The models that answered for it'),
  verdict: verdict.nullable().describe('The last one that may be seen'),
  found: z.number(),
  verified: z.number(),
  out: z.string().nullable().describe('Why it takes no part any more'),
  isHollow: z.boolean().describe('It named no place at all, while others found what is really there'),
});

/** A row of the matrix: the finding, where it is, and where every reviewer stands on it. */
const findingViewSchema = core<ReviewFinding>().and(
  z.object({
    state: core<FindingState>(),
    stances: list(core<MatrixCell>()).describe('One for each reviewer, also for those that are out'),
  }),
);

const verdictViewSchema = z.object({
  reviewer: z.string(),
  isHidden: z.boolean().describe('Given, and not shown before all have spoken in this round'),
  verdict: verdict.nullable(),
  ranking: list(z.string()),
  summary: z.string(),
  flaws: list(z.string()).exactOptional().describe('What is wrong in it and does not count. Absent: nothing.'),
});

const roundViewSchema = z.object({ debate: z.number(), round: z.number(), verdicts: list(verdictViewSchema) });

export const decisionViewSchema = z.object({
  decision: verdict,
  best: z.string().nullable(),
  chosen: list(z.string()),
  reason: z.string(),
  isSynthesis: z.boolean().describe('Never a consensus'),
  dissent: list(core<Dissent>()),
  needs: z.enum(['person', 'synthesis']).nullable().describe('Who has to be asked before it is final'),
  parts: list(z.object({ implementation: z.string(), paths: list(z.string()) })).describe(
    'Which files of which implementation a synthesis puts together',
  ),
});

const debateEndSchema = z.object({
  debate: z.number(),
  rounds: z.number().describe('Rounds in which somebody spoke, without the first reviews'),
  came: core<Convergence['kind']>(),
  verdict: verdict.nullable(),
  dissent: list(core<Dissent>()),
  decision: decisionViewSchema.nullable().describe('What followed from it; null while nothing did'),
  spending: spendingFiguresSchema.describe('Of its turns, without the first reviews'),
});

/** The output of `debate --json` (PD4). Fields are added, never renamed; times are in milliseconds. */
export const debateViewSchema = z.object({
  ...reviewRunSchema.shape,
  kind: z.literal('debate'),
  debate: z
    .number()
    .describe('1 for the first debate, one more for each final review after a revision; 0 before anything was opened'),
  round: z.number().describe('0: the first, blind reviews'),
  maxRounds: z.number(),
  speaker: z.string().nullable().describe('Whose turn it is; null between turns'),
  reviewers: list(reviewerViewSchema),
  implementations: list(z.string()),
  lost: list(core<Dropped>()).describe('Those that failed, and those whose findings rest because others were chosen'),
  resting: list(z.string()),
  findings: list(findingViewSchema),
  counts: core<DebateSummary['findings']>(),
  open: list(z.string()).describe('What is still debated, by its ids'),
  rounds: list(roundViewSchema).describe('In the order of time'),
  tests: list(core<TestRun>()).describe('Tests that reviewers proposed and the engine ran'),
  debates: list(debateEndSchema).describe('What each debate came to, the first one first'),
  decision: decisionViewSchema.nullable(),
  spending: reviewSpendingSchema,
});

export type DebateView = Wire<typeof debateViewSchema>;
export type ReviewerView = Wire<typeof reviewerViewSchema>;
export type FindingView = Wire<typeof findingViewSchema>;
export type RoundView = Wire<typeof roundViewSchema>;
export type VerdictView = Wire<typeof verdictViewSchema>;
export type DebateEnd = Wire<typeof debateEndSchema>;
export type DecisionView = Wire<typeof decisionViewSchema>;
