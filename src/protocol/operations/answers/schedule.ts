import { z } from 'zod';
import { queuedSchema, type Wire } from '../parts.ts';

const text = z.string();

export const scheduleLineSchema = z.object({
  name: text,
  cron: text,
  timeZone: text,
  workflow: text,
  project: text.describe('The id of the project: a worker has to offer it'),
  by: text.describe('Who added it'),
  nextAt: z.number().describe('When it fires next'),
  last: z
    .object({
      at: z.number().describe('The time that it was for'),
      run: text.exactOptional(),
      reason: text.exactOptional().describe('Why no run began'),
    })
    .exactOptional()
    .describe('The last firing that a worker took'),
  waiting: z.number().describe('Firings that no worker has begun yet'),
  queued: queuedSchema.exactOptional(),
});

export type ScheduleLine = Wire<typeof scheduleLineSchema>;
