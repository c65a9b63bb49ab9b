import { z } from 'zod';
import type { Definition, Role } from '../../core/role.ts';
import type { Workflow } from '../../core/workflow.ts';
import { graphViewSchema } from './graph-view.ts';
import { core, list, type Wire } from '../operations/parts.ts';

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
  role: core<Role>(),
  prompt: z.string().describe('What the agent is told'),
  file: z.string().nullable(),
});

export const workflowPageSchema = z.object({
  ...workflowLineSchema.shape,
  text: z.string().nullable(),
  graph: graphViewSchema.nullable().describe('Null where the file is too broken to be drawn'),
  workflow: core<Workflow>().nullable(),
  problems: list(placedProblemSchema),
  roles: list(rolePageSchema),
});

export const checkSourceSchema = z.union([
  z.strictObject({ path: z.string().min(1) }),
  z.strictObject({
    text: z.string(),
    name: z.string().exactOptional().describe('Its ending says which format it is; YAML where it does not'),
  }),
]);

export const checkedSourceSchema = z.object({
  kind: z.literal('check'),
  ok: z.boolean(),
  workflows: list(z.string()),
  problems: list(placedProblemSchema),
});

/** What a run follows. */
export const definitionSchema = z.object({
  workflow: core<Workflow>(),
  roles: z.record(z.string(), core<Role>()),
  library: z.record(z.string(), core<Workflow>()),
  retry: core<Definition['retry'] & object>().exactOptional(),
  toolTries: z.number().exactOptional(),
  chosen: core<Definition['chosen'] & object>().exactOptional(),
});

export type CheckSource = Wire<typeof checkSourceSchema>;
export type CheckedSource = Wire<typeof checkedSourceSchema>;
export type WorkflowLine = Wire<typeof workflowLineSchema>;
export type InputField = Wire<typeof inputFieldSchema>;
export type WorkflowPage = Wire<typeof workflowPageSchema>;
export type PlacedProblem = Wire<typeof placedProblemSchema>;
export type RolePage = Wire<typeof rolePageSchema>;
