import { z } from 'zod';
import { jsonObject, list, type Wire } from './operations/parts.ts';

const requestCacheSchema = z.object({
  predicted: z.number().describe('Share of the request that a prompt cache should hold, from 0 to 1'),
  reported: z.number().nullable().describe('The share that the provider reported; null where it reported no input'),
});

/** One request to a model or a client, as `troupe prompt trace --json` lists it. */
export const requestLineSchema = z.object({
  number: z
    .number()
    .describe('Its number in the list of the whole run: `--call`, `--diff` and the page use this one and no other'),
  run: z.string(),
  step: z.string().nullable().describe('What `logs` calls the run below that made it; null for the run itself'),
  inheritedFrom: z.string().exactOptional().describe('The run that made it, where this one was forked from it later'),
  agent: z.string(),
  state: z.string(),
  visit: z.number(),
  call: z.number(),
  attempt: z.number().describe('How often this call was sent, this time included'),
  isSummary: z
    .boolean()
    .describe("It asks for a summary of the conversation, which then takes the conversation's place"),
  seq: z.number().describe('The record that announced it; the one that answered it, if any'),
  answeredSeq: z.number().nullable(),
  failure: z.string().nullable().describe('The code of the failure; null if there was an answer, or nothing yet'),
  answer: z
    .string()
    .nullable()
    .describe('The answer in short: text and tools called; null if it failed, or nothing yet'),
  actor: z.enum(['model', 'client']),
  model: z.string(),
  tokens: z.number().describe('Estimated before it left, by the rule that decides on compaction'),
  countedTokens: z.number().nullable().describe("The provider's own count; null where it reported none"),
  window: z
    .number()
    .nullable()
    .describe('The window of the model; null if it is not known, and for a client, which keeps its own conversation'),
  cache: requestCacheSchema,
  cut: list(z.string()).describe('What was removed from the conversation before it, by the journal'),
});

const tracedBlockSchema = z.object({
  section: z.enum(['tools', 'system', 'messages']),
  name: z.string(),
  kind: z.string(),
  origin: z.string().describe('Where it comes from: the shared text, the role, the order, a record'),
  text: z.string(),
  tokens: z.number().describe('Its share of the estimate'),
  isMarked: z.boolean(),
});

export const requestDifferenceSchema = z.object({
  with: z.number().describe('The request it is compared with'),
  same: z.number().describe('Blocks that are the same from the start'),
  isLonger: z.boolean().describe('The request only continues from there'),
  block: z.string().describe('The block in which they differ, and the line of its text'),
  line: z.number(),
  before: z.string().describe('That line in each; empty where one of them has no such line'),
  now: z.string(),
});

/** The whole request. */
export const requestViewSchema = z.object({
  ...requestLineSchema.shape,
  settings: jsonObject.describe(
    'Everything of the body besides model, tools, system and messages, such as the tool choice',
  ),
  blocks: list(tracedBlockSchema),
  wholeAnswer: z.string().nullable().describe('The answer in full; null if there is none yet'),
  difference: requestDifferenceSchema
    .nullable()
    .describe("Where it first differs from the agent's request before it; null where there is none before it"),
  notes: list(z.string()).describe('Parts that are not known, or that differ from what was sent'),
});

export type RequestLine = Wire<typeof requestLineSchema>;
export type RequestCache = Wire<typeof requestCacheSchema>;
export type RequestView = Wire<typeof requestViewSchema>;
export type TracedBlock = Wire<typeof tracedBlockSchema>;
export type RequestDifference = Wire<typeof requestDifferenceSchema>;
