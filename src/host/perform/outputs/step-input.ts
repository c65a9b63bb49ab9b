import * as z from 'zod/mini';
import type { JsonObject } from '../../../core/model/json.ts';
import { ARTIFACT_TYPES } from '../../../core/record/artifact-fact.ts';
import { anyJson } from '../commands/program-input.ts';

const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const FORMS = ['file', 'files', 'changed'] as const;

const needSchema = z.object({
  phase: z.string(),
  name: z.string(),
  form: z.enum(FORMS),
  artifacts: z.array(z.object({ id: z.string(), path: z.string(), hash: z.string() })),
});

export type Need = z.infer<typeof needSchema>;
export type NeededArtifact = Need['artifacts'][number];

const handoffSchema = z.object({
  from: z.array(z.string()),
  context: jsonObject,
  instructions: z.string(),
  successCriteria: z.array(z.string()),
});

export const beginSchema = z.object({
  phase: z.string(),
  agent: z.string(),
  type: z.string(),
  inputs: z.record(z.string(), anyJson),
  needs: z.array(needSchema),
  handoff: z.nullable(handoffSchema),
});

export type BeginInput = z.infer<typeof beginSchema>;

const owedSchema = z.object({
  name: z.string(),
  form: z.enum(FORMS),
  path: z.nullable(z.string()),
  type: z.enum(ARTIFACT_TYPES),
});

const criterionSchema = z.union([
  z.string(),
  z.object({ command: z.string() }),
  z.object({ files: z.array(z.string()) }),
]);

export type Criterion = z.infer<typeof criterionSchema>;

export const collectSchema = z.object({
  phase: z.string(),
  agent: z.string(),
  type: z.string(),
  outputs: z.array(owedSchema),
  since: z.string(),
  dependencies: z.array(z.string()),
  criteria: z.array(criterionSchema),
});

export type CollectInput = z.infer<typeof collectSchema>;
