import { z } from 'zod';
import { FAMILY_ANSWERS, FAMILY_VIEWS } from '../../formats/registry/views.ts';
import { requestDifferenceSchema } from '../request-trace.ts';
import { busLineSchema } from './answers/bus.ts';
import { settledLineSchema } from './answers/settled.ts';
import { IMMEDIATE_ACTS, ORDERS } from './acts.ts';
import { core, list, listAnswer } from './parts.ts';
import { listedRunSchema, PROJECT } from './project.ts';
import { TOKENS } from './tokens.ts';
import { rawLineSchema, VIEWS } from './views.ts';

// The output of every command with `--json`: one object with `kind`; events are printed one object per line (R2).

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
  .describe('Something that no record has');

/** A run as it goes on; the last line says how it ended or what it waits for. */
const driving = [record, settledLineSchema, event, IMMEDIATE_ACTS.deliver.answer];

const chat = listedRunSchema.omit({ usage: true, costUsd: true, time: true });

const findingSchema = z.object({
  level: z.enum(['ok', 'absent', 'warning', 'error']).describe('absent: it is not there, and nothing asks for it'),
  about: text,
  text,
  client: core<object>().exactOptional(),
});

const trust = z.object({
  kind: z.literal('trust'),
  project: text,
  state: z.enum(['trusted', 'untrusted', 'changed']),
  files: list(text).describe('Code that would run, relative to the project'),
  powers: list(z.object({ kind: z.enum(['command', 'address', 'code', 'folder']), setting: text, does: text })),
  hash: text.describe('Of all of it: who agrees to it agrees to this'),
});

const init = z.object({
  kind: z.literal('init'),
  written: list(text),
  kept: list(text),
  ward: list(z.object({ name: z.enum(['lint', 'types', 'test']), command: text, from: text })),
  setup: text.nullable().describe('The setup command that was found'),
  isTrusted: z.boolean(),
});

const startingWith = (own: Readonly<Record<string, readonly z.ZodType[]>>) =>
  Object.fromEntries(
    Object.entries(own).map(([name, answers]) => [name, [...answers, ...driving, ORDERS.start.answer]]),
  );

/** By the name of the command. */
export const PRINTED: Readonly<Record<string, readonly z.ZodType[]>> = {
  init: [init],
  run: [...driving, ORDERS.start.answer],
  start: [...driving, ORDERS.start.answer],
  ...startingWith(FAMILY_ANSWERS),
  chat: [listAnswer('chats', chat), ...driving],
  list: [PROJECT.list.answer],
  show: [VIEWS.show.answer],
  watch: driving,
  logs: [record, rawLineSchema],
  artifacts: [VIEWS.artifacts.answer, VIEWS.artifact.answer],
  messages: [VIEWS.messages.answer, busLineSchema],
  metrics: [VIEWS.metrics.answer],
  ...Object.fromEntries(Object.entries(FAMILY_VIEWS).map(([name, { answer }]) => [name, [answer]])),
  serve: [
    z.object({
      kind: z.literal('page.opened'),
      url: text,
      address: text.exactOptional().describe('With --listen: where it listens'),
    }),
  ],
  token: [TOKENS.tokenNew.answer, TOKENS.tokenList.answer, TOKENS.tokenRevoke.answer],
  worker: [
    z.object({ kind: z.literal('worker.started'), slots: z.number() }),
    z.object({ kind: z.literal('worker.draining'), id: text, runs: z.array(text) }),
  ],
  workers: [PROJECT.workers.answer],
  schedule: [PROJECT.scheduleAdd.answer, PROJECT.schedules.answer, PROJECT.scheduleRemove.answer],
  answer: [...driving, ORDERS.answer.answer],
  tell: [IMMEDIATE_ACTS.tell.answer],
  resume: [...driving, ORDERS.resume.answer],
  pause: [IMMEDIATE_ACTS.pause.answer],
  cancel: [IMMEDIATE_ACTS.cancel.answer],
  fork: [...driving, ORDERS.fork.answer],
  diff: [VIEWS.changes.answer, VIEWS.branches.answer],
  deliver: [
    IMMEDIATE_ACTS.deliver.answer,
    z.strictObject({ kind: z.literal('result.pushed'), branch: z.string(), remote: z.string() }),
  ],
  discard: [IMMEDIATE_ACTS.discard.answer],
  archive: [IMMEDIATE_ACTS.archive.answer],
  rollback: [IMMEDIATE_ACTS.rollback.answer],
  prune: [PROJECT.prune.answer],
  workflows: [PROJECT.workflows.answer],
  check: [PROJECT.check.files],
  'watch-files': [event],
  graph: [PROJECT.graph.answer],
  prompt: [
    PROJECT.roles.answer,
    PROJECT.prompt.answer,
    VIEWS.requests.answer,
    requestDifferenceSchema.extend({ kind: z.literal('request.difference') }),
  ],
  schema: [
    listAnswer('schemas', text),
    z.looseObject({ kind: z.literal('schema'), name: text, schema: core<object>() }),
  ],
  'script-model': [z.object({ kind: z.literal('model.served'), url: text })],
  doctor: [listAnswer('findings', findingSchema), z.looseObject({ kind: z.literal('repair') })],
  trust: [trust],
  help: [z.object({ kind: z.literal('help'), topic: text.nullable(), text })],
};
