import { z } from 'zod';
import { ORDERS } from './acts.ts';
import { scheduleLineSchema } from './answers/schedule.ts';
import { workerLineSchema } from './answers/worker.ts';
import { graphViewSchema } from '../web/graph-view.ts';
import { columnSchema, runPageSchema } from '../web/run-card.ts';
import { searchPageSchema } from '../web/search-page.ts';
import { checkedSourceSchema, workflowLineSchema, workflowPageSchema } from '../web/workflow-page.ts';
import {
  costUsd,
  firedScheduleSchema,
  line,
  list,
  listAnswer,
  outcome,
  plainName,
  problemSchema,
  resultStateSchema,
  run,
  runStatusSchema,
  usage,
  workflowSchema,
  queuedSchema,
} from './parts.ts';

// Requests about a project and its runs: one schema for the request and one for the answer, for every interface (R2).

const text = z.string();

export const listedRunSchema = z.object({
  run: text,
  parent: text.nullable(),
  forkedFrom: text.exactOptional(),
  schedule: firedScheduleSchema,
  workflow: text,
  title: text,
  project: text,
  status: runStatusSchema,
  outcome: outcome.nullable(),
  result: resultStateSchema.exactOptional(),
  isArchived: z.literal(true).exactOptional(),
  driven: z.boolean(),
  queued: queuedSchema.exactOptional(),
  isOffered: z.literal(true).exactOptional().describe('Any worker may drive it'),
  needs: z.array(text).readonly().exactOptional().describe('What the worker that drives it must offer'),
  priority: z.number().exactOptional().describe('Of queued runs, those with a lower one go first'),
  isWaitingBelow: z.literal(true).exactOptional().describe('All that it has under way below it waits for a person'),
  wakesAt: z.number().exactOptional().describe('It sleeps until then, and no worker drives it'),
  at: z.number().describe('When it began'),
  updatedAt: z.number(),
  seq: z.number(),
  tip: text.describe('Stands for all records of the run: it is the same only where they are'),
  usage: usage.nullable().describe('null: its journal cannot be read'),
  costUsd,
  time: z
    .object({ workedMs: z.number(), waitedMs: z.number(), pausedMs: z.number() })
    .exactOptional()
    .describe('How long it worked, waited for a person, and was paused'),
});

const promptLine = z.object({
  name: text,
  type: z.enum(['type', 'role']),
  mode: text.nullable().describe('The mode that an agent of this type works in'),
  access: z.enum(['read', 'commands', 'write']),
  preset: text.nullable(),
});

const drawing = {
  open: z.array(line).max(10_000).readonly().exactOptional().describe('The nodes whose inside is shown, by id'),
  direction: z.enum(['right', 'down']).exactOptional().describe('Default: the one that can be shown larger'),
};

const unitNote = z.object({
  what: text.describe('Who does it'),
  when: text.nullable(),
  again: list(text).describe('What is done again after each of its rounds'),
  rounds: z.number().nullable(),
});

const freed = { bytes: z.number() };

export const PROJECT = {
  list: {
    request: z.strictObject({
      text: z
        .string()
        .max(1000)
        .exactOptional()
        .describe('Words that must all occur in the title, workflow, id or project'),
      status: line.exactOptional().describe('Such as waiting, paused, stopped or failed'),
      column: columnSchema
        .exactOptional()
        .describe(
          'needs-you: it asks, reached a limit, or no process drives it; ready: its result waits; failed: it did not succeed',
        ),
      workflow: line.exactOptional(),
      project: line.exactOptional().describe('Its folder'),
      isArchived: z.boolean().exactOptional().describe('Archived runs as well'),
      after: line.exactOptional().describe('`next` of the page before'),
      limit: z.int().min(1).max(1000).default(20),
    }),
    answer: listAnswer('runs', listedRunSchema),
    /** As cards of the board. */
    cards: runPageSchema,
  },
  search: {
    request: z.strictObject({
      text: z.string().min(1).max(1000),
      run: line
        .exactOptional()
        .describe('In the records of this run and of those below it; else in what runs are about'),
      limit: z.int().min(1).max(500).default(50),
    }),
    answer: searchPageSchema,
  },
  prune: {
    request: z.strictObject({
      olderThanMs: z
        .number()
        .nonnegative()
        .default(30 * 86_400_000),
      keep: z.int().nonnegative().default(20).describe('So many of the newest runs of each project keep their files'),
      isDry: z.boolean().default(false),
    }),
    answer: z.object({
      kind: z.literal('prune'),
      isDry: z.boolean(),
      runs: list(z.object({ run: text, project: text, ...freed })),
      snapshots: z.object({ objects: z.number(), ...freed }),
      caches: z.object({ entries: z.number(), ...freed }),
    }),
  },
  scheduleAdd: {
    request: ORDERS.start.request.extend({
      name: plainName,
      cron: line.describe('Minute, hour, day of month, month and weekday; six fields begin with the second'),
      timeZone: line.exactOptional().describe('Such as Europe/Berlin; the time zone of this machine by default'),
    }),
    answer: scheduleLineSchema.extend({ kind: z.literal('schedule.added') }),
  },
  schedules: { request: z.strictObject({}), answer: listAnswer('schedules', scheduleLineSchema) },
  scheduleRemove: {
    request: z.strictObject({ name: plainName }),
    answer: z.object({ kind: z.literal('schedule.removed'), name: text }),
  },
  workers: { request: z.strictObject({}), answer: listAnswer('workers', workerLineSchema) },
  workflows: { request: z.strictObject({}), answer: listAnswer('workflows', workflowLineSchema) },
  workflow: { request: z.strictObject({ workflow: line, ...drawing }), answer: workflowPageSchema },
  runGraph: { request: z.strictObject({ run, ...drawing }), answer: graphViewSchema },
  graph: {
    request: z.strictObject({
      workflow: line.describe('A name, or a file with #name'),
      format: z.enum(['mermaid', 'xstate', 'json', 'svg']).default('mermaid'),
    }),
    answer: workflowSchema.and(
      z.object({
        kind: z.literal('graph'),
        drawn: z
          .object({ links: list(z.object({ from: text, to: text, label: text })), units: z.record(text, unitNote) })
          .exactOptional()
          .describe('The source as its author wrote it, if that differs from what runs'),
      }),
    ),
  },
  roles: {
    request: z.strictObject({}),
    answer: listAnswer('prompts', promptLine.extend({ origin: z.enum(['project', 'shipped']), description: text })),
  },
  prompt: {
    request: z.strictObject({ name: line.describe('A role or a type of agent'), mode: line.exactOptional() }),
    answer: promptLine.extend({
      kind: z.literal('prompt'),
      layers: list(text),
      level: text,
      actor: text.nullable(),
      tools: list(text),
      tasks: list(text).describe('The roles it may start sub-agents of'),
      prompt: text,
      lines: list(z.object({ text, file: text.nullable(), line: z.number().nullable() })).describe(
        'Each line of the prompt, and where it is written',
      ),
    }),
  },
  check: {
    request: z
      .strictObject({
        file: line.exactOptional(),
        text: z.string().exactOptional(),
        name: z.string().exactOptional().describe('Its ending says which format the text has; YAML where it does not'),
      })
      .refine(({ file, text: given }) => (file === undefined) !== (given === undefined), 'Give a file or a text.')
      .refine(({ file, name }) => file === undefined || name === undefined, 'Only a text has a name.'),
    answer: checkedSourceSchema,
    /** For several files at once. */
    files: listAnswer(
      'checks',
      z.object({ file: text, ok: z.boolean(), workflows: list(text), problems: list(problemSchema) }),
    ),
  },
} as const;

type Asked<Kind extends keyof typeof PROJECT> = Readonly<z.input<(typeof PROJECT)[Kind]['request']>>;
export type ListRequest = Asked<'list'>;
export type PruneRequest = Asked<'prune'>;
export type CheckRequest = Asked<'check'>;
export type SearchRequest = Asked<'search'>;
