import { z } from 'zod';
import { jsonObject, json, list, type Wire } from '../parts.ts';

const linePlaceSchema = z.object({
  id: z.string(),
  timestamp: z.string().describe('ISO 8601, UTC'),
  correlation_id: z.string().describe('The id that related messages share'),
  run: z.string(),
  record: z.number(),
  task: z.string().nullable(),
});

const handoffLineSchema = z.object({
  ...linePlaceSchema.shape,
  kind: z.literal('handoff'),
  from_agent: z.string(),
  to_agent: z.string(),
  artifacts: list(z.string()).describe('Paths; `artifact_ids` are the versions, in the same order'),
  artifact_ids: list(z.string()),
  context: jsonObject,
  instructions: z.string(),
  success_criteria: list(z.string()),
});

const messageLineSchema = z.object({
  ...linePlaceSchema.shape,
  kind: z.literal('message'),
  type: z.string().describe('`command`, `status`, `result`, `error`, or what a stage workflow calls it'),
  sender: z.string(),
  receiver: z.string(),
  payload: json,
});

/** One line of `messages --json`: a handoff or a message, with the names of the document (PH5). */
export const busLineSchema = z.union([handoffLineSchema, messageLineSchema]);

export type BusLine = Wire<typeof busLineSchema>;
export type HandoffLine = Wire<typeof handoffLineSchema>;
export type MessageLine = Wire<typeof messageLineSchema>;
