import { z } from 'zod';
import type { Problem } from '../../core/fault.ts';
import { questStepSchema, questViewSchema } from '../quest/quest-view.ts';
import { requestDifferenceSchema } from '../request-trace.ts';
import { workflowLineSchema } from '../web/workflow-page.ts';
import { busLineSchema } from './answers/bus.ts';
import { settledLineSchema } from './answers/settled.ts';
import { DEEDS, ORDERS } from './acts.ts';
import { core, costUsd, list, listOf, outcome, resultStateSchema, runStatusSchema, usage } from './parts.ts';
import { rawLineSchema, VIEWS } from './views.ts';

// What every command prints with `--json`: one object with `kind`; what happens is printed as it comes, an object a line (R2).

const text = z.string();
const run = { run: text };

const record = z
  .looseObject({ kind: text, ...run, seq: z.number(), at: z.number() })
  .describe('A record of the journal, by the kind of its fact');

const event = z
  .looseObject({
    kind: z.enum([
      'progress.started',
      'progress.ended',
      'progress.failed',
      'run.interrupted',
      'page.opened',
      'definition.changed',
      'chat.reply',
      'chat.permission',
      'files.watched',
      'file.checked',
      'file.removed',
      'run.keeps',
    ]),
  })
  .describe('Something that no record tells');

/** A run as it goes on; the last line says how it ended or what it waits for. */
const driving = [record, settledLineSchema, event, DEEDS.deliver.answer];

const listedRunSchema = z.object({
  ...run,
  parent: text.nullable(),
  forkedFrom: text.exactOptional(),
  workflow: text,
  title: text,
  project: text,
  status: runStatusSchema,
  outcome: outcome.nullable(),
  result: resultStateSchema.exactOptional(),
  isArchived: z.literal(true).exactOptional(),
  driven: z.boolean(),
  at: z.number().describe('When it began'),
  updatedAt: z.number(),
  seq: z.number(),
  tip: text.describe('Stands for all records of the run: it is the same only where they are'),
  usage: usage.nullable().describe('null: its journal cannot be read'),
  costUsd,
  time: core<object>().exactOptional().describe('How long it worked, waited and stood still'),
});

const findingSchema = z.object({
  level: z.enum(['ok', 'absent', 'warning', 'error']).describe('absent: it is not there, and nothing asks for it'),
  about: text,
  text,
  client: core<object>().exactOptional(),
});

const promptSchema = z.looseObject({ name: text, type: z.enum(['type', 'role']) });

const checkedFileSchema = z.object({
  file: text,
  ok: z.boolean(),
  workflows: list(text),
  problems: list(core<Problem>()),
});

const freed = z.object({ objects: z.number(), bytes: z.number() });

const trust = z.looseObject({
  kind: z.literal('trust'),
  project: text,
  state: z.enum(['trusted', 'untrusted', 'changed']),
});

/** By the name of the command. */
export const PRINTED: Readonly<Record<string, readonly z.ZodType[]>> = {
  init: [z.looseObject({ kind: z.literal('init'), written: list(text), kept: list(text), isTrusted: z.boolean() })],
  run: [...driving, ORDERS.start.answer],
  start: [...driving, ORDERS.start.answer],
  quest: [questViewSchema, listOf('steps', questStepSchema).extend(run), ...driving, ORDERS.start.answer],
  chat: [listOf('chats', listedRunSchema.omit({ usage: true, costUsd: true, time: true })), ...driving],
  list: [listOf('runs', listedRunSchema)],
  show: [VIEWS.show.answer],
  watch: driving,
  logs: [record, rawLineSchema],
  artifacts: [VIEWS.artifacts.answer, VIEWS.artifact.answer],
  messages: [VIEWS.messages.answer, busLineSchema],
  metrics: [VIEWS.metrics.answer],
  debate: [VIEWS.debate.answer],
  compare: [VIEWS.compare.answer],
  serve: [z.object({ kind: z.literal('page.opened'), url: text })],
  answer: [...driving, ORDERS.answer.answer],
  tell: [DEEDS.tell.answer],
  resume: [...driving, ORDERS.resume.answer],
  pause: [DEEDS.pause.answer],
  cancel: [DEEDS.cancel.answer],
  fork: [...driving, ORDERS.fork.answer],
  diff: [VIEWS.changes.answer, VIEWS.branches.answer],
  deliver: [DEEDS.deliver.answer],
  discard: [DEEDS.discard.answer],
  archive: [DEEDS.archive.answer],
  rollback: [DEEDS.rollback.answer],
  prune: [
    z.object({
      kind: z.literal('prune'),
      isDry: z.boolean(),
      runs: list(z.object({ ...run, project: text, bytes: z.number() })),
      snapshots: freed,
      caches: z.object({ entries: z.number(), bytes: z.number() }),
    }),
  ],
  workflows: [listOf('workflows', workflowLineSchema)],
  check: [listOf('checks', checkedFileSchema)],
  'watch-files': [event],
  graph: [z.looseObject({ kind: z.literal('graph'), name: text })],
  prompt: [
    listOf('prompts', promptSchema),
    promptSchema.extend({ kind: z.literal('prompt') }),
    VIEWS.requests.answer,
    requestDifferenceSchema.extend({ kind: z.literal('request.difference') }),
  ],
  schema: [listOf('schemas', text), z.looseObject({ kind: z.literal('schema'), name: text, schema: core<object>() })],
  'script-model': [z.object({ kind: z.literal('model.served'), url: text })],
  doctor: [listOf('findings', findingSchema), z.looseObject({ kind: z.literal('repair') })],
  trust: [trust],
  help: [z.object({ kind: z.literal('help'), topic: text.nullable(), text })],
};
