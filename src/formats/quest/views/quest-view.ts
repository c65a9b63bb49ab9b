import { z } from 'zod';
import type { Outcome } from '../../../core/model/outcome.ts';
import type { Evidence } from '../../../core/record/agent-fact.ts';
import type { Hold } from '../../../core/fold/snapshot.ts';
import { questionViewSchema } from '../../../protocol/operations/answers/question.ts';
import {
  runStatusSchema,
  outcome,
  resultStateSchema,
  failure,
  usage,
  costUsd,
  jsonObject,
  core,
  list,
  type Wire,
} from '../../../protocol/operations/parts.ts';

/** `merged`: its files are in those of the quest; `done`: it ended well without any; `resting`, `returning`: it has no slot now. */
const stepStatusSchema = z.union([
  z.literal('waiting'),
  z.literal('running'),
  z.literal('resting'),
  z.literal('returning'),
  z.literal('merged'),
  z.literal('done'),
  core<Exclude<Outcome, 'ok'>>(),
]);

const questSessionSchema = z.object({
  role: z.string(),
  actor: z.string().describe('The kind of client, or `model`'),
  session: z
    .string()
    .describe(
      "The client's own id of the conversation; of a model the context, and which one after how many times it was cleared",
    ),
  turns: z.number(),
  since: z.number(),
});

const questSignalSchema = z.object({
  at: z.number(),
  role: z.string(),
  signal: z.string(),
  status: z
    .enum(['taken', 'refused'])
    .describe('`refused`: it did not fit or did not hold, and the agent got the reason'),
  why: z.string().exactOptional(),
  says: jsonObject.describe('What it says besides its name and its step'),
});

const questEvidenceSchema = z.object({ at: z.number(), role: z.string(), seen: core<Evidence>() });

const questCheckSchema = z.object({ at: z.number(), command: z.string(), outcome, exitCode: z.number().nullable() });

const questMergeSchema = z.object({ at: z.number(), outcome, tries: z.number(), reason: z.string().nullable() });

export const questStepSchema = z.object({
  id: z.string(),
  kind: z
    .enum(['step', 'repair'])
    .describe('A `repair` is not in the plan: it fixes what a check or a review of the whole found'),
  title: z.string(),
  files: list(z.string()),
  after: list(z.string()),
  acceptance: list(z.string()),
  partOf: z.string().exactOptional().describe('The step it was split off from'),
  status: stepStatusSchema,
  attempts: z.number().describe('How often it was begun'),
  run: z.string().nullable().describe('The run that does it; null before it begins'),
  summary: z.string().nullable(),
  reason: z.string().nullable(),
  sessions: list(questSessionSchema),
  signals: list(questSignalSchema),
  evidence: list(questEvidenceSchema).describe('What the engine saw before it took a signal for true'),
  checks: list(questCheckSchema),
  merge: questMergeSchema.nullable().describe('The last try to bring it home'),
  usage,
  costUsd,
});

const questSlotSchema = z.object({
  slot: z.number(),
  step: z.string(),
  run: z.string(),
  state: z.string(),
  role: z.string().nullable().describe('Who speaks; null while the engine works'),
  session: z.string().nullable(),
  since: z.number(),
});

const historyLineSchema = z.object({
  at: z.number(),
  run: z.string(),
  seq: z.number(),
  step: z.string().nullable().describe('Null: it is about the whole'),
  text: z.string(),
});

/**
 * A quest for people and tools: the content of `quest.json` and the output of `troupe quest show --json`. It is the fold of the
 * journals of its runs and nothing else (Q7). Fields are added, never renamed.
 */
export const questViewSchema = z.object({
  kind: z.literal('quest'),
  format: z.literal(1),
  run: z.string(),
  title: z.string(),
  request: z.string(),
  project: z.string(),
  status: runStatusSchema,
  phase: z.string().describe('The state of the workflow it is in'),
  outcome: outcome.nullable(),
  result: resultStateSchema,
  failure: failure.nullable(),
  paused: core<Pick<Hold, 'by' | 'reason' | 'failure'>>()
    .exactOptional()
    .describe(
      'Who paused it, or what has to be fixed first; absent while it runs, and at a limit, which is a question',
    ),
  requirements: list(z.string()).describe('What ChaosWhisperer delivered'),
  contexts: list(z.string()),
  observables: list(z.string()),
  ward: list(z.string()).describe('The commands of Ward; the engine runs them'),
  notices: list(z.string()).describe(
    'What a person should know and nothing waits for, such as a Ward that was red before the quest began',
  ),
  steps: list(questStepSchema),
  slots: list(questSlotSchema).describe('Who works now, by slot'),
  sessions: list(questSessionSchema).describe('Of the roles that work for the whole: requirements, plan, review'),
  signals: list(questSignalSchema),
  checks: list(questCheckSchema),
  questions: list(questionViewSchema),
  history: list(historyLineSchema),
  usage,
  costUsd,
  startedAt: z.number(),
  updatedAt: z.number(),
  endedAt: z.number().exactOptional(),
  records: z.record(z.string(), z.number()).describe('The newest record of each run that is accounted for here'),
});

export type QuestView = Wire<typeof questViewSchema>;
export type StepStatus = Wire<typeof stepStatusSchema>;
export type QuestStep = Wire<typeof questStepSchema>;
export type QuestSession = Wire<typeof questSessionSchema>;
export type QuestSignal = Wire<typeof questSignalSchema>;
export type QuestEvidence = Wire<typeof questEvidenceSchema>;
export type QuestCheck = Wire<typeof questCheckSchema>;
export type QuestMerge = Wire<typeof questMergeSchema>;
export type QuestSlot = Wire<typeof questSlotSchema>;
export type HistoryLine = Wire<typeof historyLineSchema>;
