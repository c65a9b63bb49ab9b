import { z } from 'zod';
import { shownAgentSchema, workflowStateSchema } from '../../workflow-state/workflow-state.ts';
import type { Message } from '../../../core/model/message.ts';
import type { Spent } from '../../../core/model/usage.ts';
import type { Limits } from '../../../core/model/workflow.ts';
import type { WorkTime } from '../../../core/fold/work-clock.ts';
import type { Hold, Snapshot } from '../../../core/fold/snapshot.ts';
import type { ProjectFiles, RedactedFile } from '../../../core/record/files-fact.ts';
import type { DeliveryCheck } from '../../../core/record/delivery-fact.ts';
import { agentViewSchema } from './agent.ts';
import { definitionViewSchema } from '../../definition-view.ts';
import { overlapViewSchema } from './overlap.ts';
import { questionViewSchema } from './question.ts';
import {
  outcome,
  resultStateSchema,
  json,
  failure,
  jsonObject,
  usage,
  costUsd,
  core,
  list,
  firedScheduleSchema,
  type Wire,
  queuedSchema,
} from '../parts.ts';

const contextViewSchema = z.object({
  name: z.string(),
  messages: list(core<Message>()),
  maxLength: z.number(),
  dropped: z.number().describe('Messages trimmed away so far'),
});

const errorViewSchema = failure.and(z.object({ at: z.number(), state: z.string() }));

const folderViewSchema = z.object({
  workspace: z.string(),
  folder: z.string(),
  state: z
    .enum(['there', 'not-made', 'removed', 'elsewhere', 'pruned'])
    .describe(
      '`not-made`: no tool was used there yet; `removed`: it is restored when it is needed; `elsewhere`: workers have it, its files are in the shared store; `pruned`: its files are no longer stored',
    ),
  overlay: z
    .string()
    .exactOptional()
    .describe('The tree that an overlay lies upon: its folder holds only what differs from it'),
  isWaiting: z.literal(true).exactOptional().describe('It holds changes that were not brought anywhere'),
  agent: z.string().exactOptional().describe('Who works there, by whose name commands know it'),
});

/** The public view of a run: the output of `show --json`. Fields are added, never renamed. */
export const runViewSchema = z.object({
  kind: z.literal('run'),
  run: z.string(),
  parent: z.string().nullable(),
  workflow: z.string(),
  title: z.string().exactOptional().describe('Its subject, in one line'),
  project: z.string(),
  status: z.enum(['running', 'waiting', 'paused', 'settled']),
  outcome: outcome.nullable(),
  result: resultStateSchema,
  discardedBy: z.string().exactOptional().describe('The person who discarded its result'),
  archivedBy: z.string().exactOptional().describe('The person who archived it: lists and the board leave it out'),
  output: json,
  failure: failure.nullable(),
  input: jsonObject,
  data: jsonObject,
  state: z.string().describe('The state the run is in'),
  states: list(z.string()).describe('States visited, in order'),
  contexts: list(contextViewSchema),
  usage,
  costUsd: costUsd.describe('null: at least one call had no known price'),
  inherited: core<Spent>()
    .exactOptional()
    .describe('A fork: what its copied history cost the runs it comes from; not part of `usage` and `costUsd`'),
  limits: core<Limits>(),
  errors: list(errorViewSchema).describe(
    'Failures on the way, each where it arose; also those after which the work continued',
  ),
  questions: list(questionViewSchema),
  startedAt: z.number(),
  updatedAt: z.number(),
  endedAt: z
    .number()
    .exactOptional()
    .describe('When it settled; what is noted of it afterwards does not make it longer'),
  time: core<WorkTime>().describe('How long it worked, waited for a person, and stood still or had no process'),
  seq: z.number().describe('Number of the newest record'),
  folder: z
    .string()
    .nullable()
    .describe('The folder the agents of the run work in; it is made when one of them first uses a tool'),
  children: list(z.string()),
  driven: z.boolean().describe('A live process drives the run now'),
  queued: queuedSchema.exactOptional(),
  held: core<Hold>().exactOptional().describe('Who is holding it, and why; absent while it moves'),
  forkedFrom: core<NonNullable<Snapshot['forkedFrom']>>()
    .exactOptional()
    .describe('The run and the record that it was forked from'),
  schedule: firedScheduleSchema,
  forks: list(z.string()).exactOptional().describe('Runs that were forked from it'),
  sandbox: z.string().exactOptional().describe('The sandbox of its commands'),
  files: core<ProjectFiles>().exactOptional().describe('The project when the run began'),
  redacted: list(core<RedactedFile>())
    .exactOptional()
    .describe('Files of it and of the runs below it from which a secret was taken'),
  overlaps: list(overlapViewSchema)
    .exactOptional()
    .describe('Files that several of its workspaces changed and that are not merged yet; absent where there are none'),
  compacted: list(z.string())
    .exactOptional()
    .describe("Conversations that were made shorter to fit into a model's window, a line each"),
  folders: list(folderViewSchema)
    .exactOptional()
    .describe('Where its workspaces lie on this machine, that of the run first'),
  resources: core<Snapshot['resources']>()
    .exactOptional()
    .describe('Resources leased to its workspaces while it is open, by workspace and name'),
  workspaces: core<Snapshot['workspaces']>().exactOptional().describe('What each of its workspaces holds'),
  projectChange: core<NonNullable<Snapshot['projectChange']>>()
    .exactOptional()
    .describe("The last change of the user's own files on the run's account"),
  delivery: core<NonNullable<Snapshot['delivery']>>()
    .exactOptional()
    .describe('A delivery that is owed: it is under way, was cut off, or failed'),
  check: core<DeliveryCheck>()
    .exactOptional()
    .describe('The check of a result that was delivered; `handed` has that of one that waits'),
  handed: core<NonNullable<Snapshot['handed']>>()
    .exactOptional()
    .describe('How its result waits for the user: as a branch or a patch, in conflict, or not passing its check'),
  agents: list(z.union([agentViewSchema, shownAgentSchema]))
    .exactOptional()
    .describe('Its agents and those of the runs below it, the ones that are programs with what else is known of them'),
  workflow_state: workflowStateSchema.exactOptional().describe('The run in the words of the document (PH5)'),
  written: z
    .string()
    .exactOptional()
    .describe('Where it is written out for tools, such as quest.json; for people beside it, as quest.md'),
  definition: definitionViewSchema
    .exactOptional()
    .describe('Which definition it has, and whether its files give another one now'),
});

export type RunView = Wire<typeof runViewSchema>;
export type FolderView = Wire<typeof folderViewSchema>;
export type ContextView = Wire<typeof contextViewSchema>;
