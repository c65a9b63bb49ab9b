import { z } from 'zod';
import { artifactViewSchema, type ArtifactView } from '../../artifacts/artifact-view.ts';
import { costUsd, list, type Wire } from '../parts.ts';

const callViewSchema = z.object({
  task: z.string(),
  call: z.number().nullable().describe('Null where only its cost is known'),
  record: z.number(),
  model: z.string().nullable().describe('Null where the record of a failed call does not name it'),
  failed: z.literal(true).exactOptional().describe('It was paid for and brought no answer'),
  tools: list(z.string()),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cost_usd: costUsd,
});

const madeViewSchema = z.object({
  agent: z.string(),
  agent_type: z.string().nullable().describe('The type of the agent, or its role'),
  phase: z.string(),
  run: z
    .string()
    .describe('The run and the turn in which its content came to be; that of its record where no more is known'),
  task: z.string().nullable(),
  how: z
    .string()
    .nullable()
    .describe('`work`, `merge`, `rollback`, or `outside`: no agent of the run did it. Null if no record has it.'),
  tool: z.string().nullable().describe("What wrote it, where it was a tool of the engine's"),
  tool_call: z.string().nullable(),
  call: z.number().nullable().describe('The call of that turn in which the tool was asked for'),
  calls: list(callViewSchema).describe(
    "All model calls of the turn, failed ones too, or of the agent's turns until then",
  ),
});

const evidenceViewSchema = z.object({
  text: z.string(),
  checked: z.boolean(),
  held: z.boolean().nullable(),
  why: z.string().exactOptional(),
});

export type MadeView = Wire<typeof madeViewSchema>;
export type CallView = Wire<typeof callViewSchema>;
export type WhyEvidence = Wire<typeof evidenceViewSchema>;

/** `told`: explained elsewhere in the same tree; `unknown`: no record mentions it. */
const knownElsewhereSchema = z.object({
  id: z.string(),
  why: z.enum(['told', 'unknown']),
  path: z.string().exactOptional().describe('Where it is recorded'),
  version: z.number().exactOptional(),
});
export type KnownElsewhere = Wire<typeof knownElsewhereSchema>;

/** The origin of an artifact, as `artifacts ID --why --json` prints it. */
export interface WhyView {
  readonly artifact: ArtifactView;
  readonly made: MadeView;
  readonly evidence: readonly WhyEvidence[];
  readonly from: readonly (WhyView | KnownElsewhere)[];
}

export const whyViewSchema: z.ZodType<WhyView> = z.object({
  artifact: artifactViewSchema,
  made: madeViewSchema,
  evidence: list(evidenceViewSchema).describe(
    'What the engine checked before it accepted it, and what was not checked',
  ),
  from: z.lazy(() => list(z.union([whyViewSchema, knownElsewhereSchema]))).describe('Its sources'),
});
