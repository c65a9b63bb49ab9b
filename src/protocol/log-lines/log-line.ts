import { z } from 'zod';
import type { Wire } from '../operations/parts.ts';

const logLevelSchema = z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']);

/** `started`, `success`, or another outcome. */
const logStatusSchema = z.enum([
  'started',
  'success',
  'waiting',
  'retrying',
  'refused',
  'stopped',
  'partial',
  'blocked',
  'failed',
  'timeout',
  'quota',
  'crashed',
  'cancelled',
  'skipped',
]);

/** One line of a log (PH8): the fields of the document first, with its names. Fields are added, never renamed. */
const logLineSchema = z.object({
  timestamp: z.string().describe('ISO 8601, UTC, to the millisecond'),
  level: logLevelSchema,
  agent_id: z
    .string()
    .nullable()
    .describe('The agent it is about, by its name in the workflow; null for what the engine does'),
  workflow_id: z.string().describe("The run that a person started; a child's lines bear it too"),
  event: z.string(),
  tool: z.string().nullable(),
  file: z.string().nullable().describe('As the agent named it'),
  duration_ms: z.number().nullable().describe('Time at work'),
  status: logStatusSchema,
  run: z.string().describe('The run and the number of the record; together they identify a line'),
  seq: z.number(),
  part: z.number().exactOptional().describe('Which line of the record, where it has several; from 1'),
  state: z.string().exactOptional(),
  task: z.string().exactOptional(),
  unit: z.string().exactOptional(),
  workflow: z.string().exactOptional(),
  model: z.string().exactOptional(),
  input_tokens: z.number().exactOptional(),
  output_tokens: z.number().exactOptional(),
  cache_read_tokens: z.number().exactOptional().describe('Part of the input'),
  cache_write_tokens: z.number().exactOptional(),
  cost_usd: z.number().nullable().exactOptional(),
  waited_ms: z
    .number()
    .exactOptional()
    .describe('How long a person was waited for, and how long the run stood still meanwhile; absent where it was not'),
  paused_ms: z.number().exactOptional(),
  code: z.string().exactOptional().describe('Of a failure: what people look up, and what it says'),
  message: z.string().exactOptional(),
});

export type LogLine = Wire<typeof logLineSchema>;
export type LogLevel = Wire<typeof logLevelSchema>;
export type LogStatus = Wire<typeof logStatusSchema>;
