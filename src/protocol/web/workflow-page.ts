import { z } from 'zod';
import type { Role } from '../../core/model/role.ts';
import type { Definition } from '../../core/model/definition.ts';
import { graphViewSchema } from './graph-view.ts';
import { core, list, workflowSchema, type Wire } from '../operations/parts.ts';

/** The parts that every role has; `troupe schema roles` describes all of them. */
const roleSchema = z.looseObject({
  name: z.string(),
  level: z.string(),
  systemMessage: z.string(),
  excludedTools: list(z.string()),
  includedTools: list(z.string()).nullable(),
}) as unknown as z.ZodType<Role>;

/** A field of the form that starts a run. */
const inputFieldSchema = z.object({
  name: z.string(),
  type: z.string(),
  description: z.string(),
  isRequired: z.boolean(),
  default: z.string().nullable(),
  choices: list(z.string()),
  isLong: z.boolean().describe('Worth more than one line'),
});

export const workflowLineSchema = z.object({
  name: z.string(),
  description: z.string(),
  origin: z.enum(['project', 'shipped']),
  file: z.string().nullable(),
  inputs: list(inputFieldSchema),
});

const placedProblemSchema = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  file: z.string().nullable(),
  line: z.number().nullable(),
  column: z.number().nullable(),
  state: z.string().nullable().describe('The state it is about, where one is'),
});

const rolePageSchema = z.object({
  name: z.string(),
  role: roleSchema,
  prompt: z.string().describe('The prompt of the agent'),
  file: z.string().nullable(),
});

export const workflowPageSchema = z.object({
  ...workflowLineSchema.shape,
  text: z.string().nullable(),
  graph: graphViewSchema.nullable().describe('Null where the file is too broken to be drawn'),
  workflow: workflowSchema.nullable(),
  problems: list(placedProblemSchema),
  roles: list(rolePageSchema),
});

export const checkedSourceSchema = z.object({
  kind: z.literal('check'),
  ok: z.boolean(),
  workflows: list(z.string()),
  problems: list(placedProblemSchema),
});

export const definitionSchema = z.object({
  workflow: workflowSchema,
  roles: z.record(z.string(), roleSchema),
  library: z.record(z.string(), workflowSchema),
  retry: core<Definition['retry'] & object>().exactOptional(),
  toolTries: z.number().exactOptional(),
  chosen: core<Definition['chosen'] & object>().exactOptional(),
});

export type CheckedSource = Wire<typeof checkedSourceSchema>;
export type WorkflowLine = Wire<typeof workflowLineSchema>;
export type InputField = Wire<typeof inputFieldSchema>;
export type WorkflowPage = Wire<typeof workflowPageSchema>;
export type PlacedProblem = Wire<typeof placedProblemSchema>;
export type RolePage = Wire<typeof rolePageSchema>;
