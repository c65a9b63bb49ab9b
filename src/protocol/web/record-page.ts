import { z } from 'zod';
import type { StoredRecord } from '../../core/record/stored-record.ts';
import { list, type Wire } from '../operations/parts.ts';

/** A record of the journal. Which fields a fact has depends on its kind. */
export const recordSchema = z.object({
  seq: z.number(),
  at: z.number().describe('Milliseconds since 1970'),
  fact: z.looseObject({ kind: z.string() }),
  commit: z.number().describe('Orders the records of a run and of all runs below it'),
}) as unknown as z.ZodType<StoredRecord>;

const cutSchema = z.object({
  path: list(z.union([z.string(), z.number()])).describe('Keys and indexes from the fact down to the text'),
  length: z.number().describe('Characters it really has'),
});

/** A record of one run of a tree, as it is sent to the page. */
export const recordLineSchema = z.object({
  run: z.string(),
  record: recordSchema,
  cut: list(cutSchema)
    .exactOptional()
    .describe(
      'Texts that were too long to be sent, and where they are in the fact: the beginning is there, the rest is fetched when wanted',
    ),
});

export const recordPageSchema = z.object({
  run: z.string(),
  records: list(recordLineSchema),
  seq: z.number().describe('Newest record of the run when this was read'),
  after: z.number().nullable().describe('Where the next page begins; null when this was the last'),
});

export type PageRecord = Wire<typeof recordLineSchema>;
export type Cut = Wire<typeof cutSchema>;
export type RecordPage = Wire<typeof recordPageSchema>;
