import { z } from 'zod';
import type { DeliveryCheck } from '../../../core/record/delivery-fact.ts';
import { fileChangeSchema } from '../../web/changes-page.ts';
import { json, list, type Wire } from '../parts.ts';

// Results of delivering a run's files to the user, or of taking them back.

const text = z.string();
const changes = list(fileChangeSchema);
const reports = list(z.object({ path: text, why: text }));

const conflicts = list(
  z.object({
    path: text,
    kind: text,
    base: json.exactOptional(),
    ours: json.exactOptional(),
    theirs: json.exactOptional(),
  }),
);

export const deliveryCheckSchema: z.ZodType<DeliveryCheck> = z.object({
  command: text,
  sandbox: text,
  from: text.exactOptional().describe('The sandbox of the run, where a different one was chosen'),
});

const anyEnd = {
  run: text,
  unverified: text.exactOptional().describe('Why these files are not a result; the user took them by name'),
  steering: reports.exactOptional().describe("Files of the result that steer the user's programs"),
  held: reports.exactOptional().describe('Those of them that were not written into the project'),
  copied: z.object({ to: text, written: list(text), refused: reports }).exactOptional(),
  check: deliveryCheckSchema.exactOptional().describe('The check that the merged files went through'),
};

const leftOut = reports.exactOptional().describe('What the run made and no tree holds');

export const deliveredSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('result.unchanged'),
    ...anyEnd,
    target: z.enum(['branch', 'patch', 'apply']),
    leftOut,
  }),
  z.strictObject({
    kind: z.literal('result.branch'),
    ...anyEnd,
    branch: text,
    commit: text,
    changes,
    leftOut: reports,
    conflicts: conflicts.describe('With what is committed now'),
    uncommitted: list(text).describe('Files in which the run continued with work that is not committed'),
  }),
  z.strictObject({
    kind: z.literal('result.patch'),
    ...anyEnd,
    file: text,
    changes,
    beyondPatch: changes,
    conflicts: conflicts.describe("With the user's files as they are"),
    leftOut,
  }),
  z.strictObject({
    kind: z.literal('result.applied'),
    ...anyEnd,
    project: text,
    changes,
    cautions: reports,
    undoTo: z.number().describe('The record to roll back to'),
    leftOut,
  }),
  z.strictObject({
    kind: z.literal('result.conflict'),
    ...anyEnd,
    against: z.enum(['project', 'commit']),
    conflicts: conflicts.describe('Nothing was written'),
  }),
  z.strictObject({
    kind: z.literal('result.not-verified'),
    ...anyEnd,
    command: text,
    exitCode: z.number().nullable(),
    reason: text,
    output: text,
    folder: text.describe('Where the merged files are'),
  }),
]);

const step = { run: text, to: z.number().describe('The record that it goes back to') };

export const rolledBackSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rollback.unchanged'), ...step }),
  z.strictObject({
    kind: z.literal('rollback.plan'),
    ...step,
    end: z.number().describe('Where the step of that record ends'),
    project: z.object({ files: changes, conflicts }),
    workspaces: list(
      z.object({
        workspace: text,
        changes,
        stays: list(text).describe('Paths that no record holds; they are kept'),
        isDropped: z.literal(true).exactOptional().describe('It did not exist then'),
      }),
    ),
    conversation: z
      .object({ from: text, to: text, messages: z.number(), isSettled: z.boolean() })
      .nullable()
      .describe('The states it leads from and to, and how many messages are taken back'),
  }),
  z.strictObject({
    kind: z.literal('run.rolled-back'),
    ...step,
    undo: z.number().describe('The record to roll back to in order to undo this'),
    workspaces: list(text).describe('Those with changed files'),
    project: z.object({ changed: list(text), conflicts }),
    stayed: list(z.object({ workspace: text, path: text })).exactOptional(),
  }),
]);

export type DeliveredLine = Wire<typeof deliveredSchema>;
export type RolledBackLine = Wire<typeof rolledBackSchema>;
export type ShownConflict = Wire<typeof conflicts>[number];
