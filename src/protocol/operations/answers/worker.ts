import { z } from 'zod';
import { list, type Wire } from '../parts.ts';

const text = z.string();

export const workerLineSchema = z.object({
  id: text,
  name: text.describe('HOST/PID, as `troupe worker --drain` takes it'),
  version: text,
  isAlive: z.boolean(),
  isDraining: z.boolean().describe('It was asked to hand its runs over and to end'),
  startedAt: z.number().describe('By the clock of the database, as is `beatAt`'),
  beatAt: z.number().describe('When it last showed that it is alive'),
  slots: z.number().describe('How many runs it works on at once'),
  offers: list(text).describe(
    'What it offers to runs, such as `label gpu`, `client codex`, `model base` or `server docs`',
  ),
  runs: list(z.object({ run: text, title: text })).describe('The runs that it holds'),
});

export type WorkerLine = Wire<typeof workerLineSchema>;
