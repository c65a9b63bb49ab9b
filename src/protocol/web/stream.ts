import { z } from 'zod';
import { recordLineSchema } from './record-page.ts';
import { runCardSchema } from './run-card.ts';
import { list, type Wire } from '../operations/parts.ts';

/** Limit of one stream. */
const MOST_FOLLOWED = 10_000;

/**
 * `POST /api/stream`: the topics a browser follows. The answer is a stream of server-sent events (`event: batch`), one stream
 * for all tabs. A client that reconnects states its position again, so that it misses nothing and gets nothing twice.
 */
export const streamRequestSchema = z.strictObject({
  cards: z.boolean().describe('Cards of the board that change'),
  after: z
    .record(z.string().max(1000), z.int().min(0))
    .refine((after) => Object.keys(after).length <= MOST_FOLLOWED, `At most ${MOST_FOLLOWED} runs.`)
    .describe(
      'Runs to follow, with all runs below them: by run (root or child), the newest record that is known of it',
    ),
});

const textDeltaSchema = z.object({
  run: z.string(),
  task: z.string(),
  agent: z.string(),
  offset: z
    .number()
    .describe('Where in the present answer it belongs: 0 begins a new one, or ends it where there is no text'),
  text: z.string(),
});

/** The events of one moment, in order. */
export const streamBatchSchema = z.object({
  records: list(recordLineSchema),
  cards: list(runCardSchema),
  texts: list(textDeltaSchema).describe(
    'Words of models as they come; gone when the record with the whole answer is there',
  ),
  lost: list(z.object({ run: z.string(), code: z.string(), message: z.string() })).describe(
    'Runs that cannot be followed any more',
  ),
});

export type StreamRequest = Wire<typeof streamRequestSchema>;
export type StreamBatch = Wire<typeof streamBatchSchema>;
export type TextDelta = Wire<typeof textDeltaSchema>;
