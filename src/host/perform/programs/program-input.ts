import * as z from 'zod/mini';
import { ARTIFACT_TYPES } from '../../../core/record/artifact-fact.ts';
import type { ComputeRun } from '../../../core/model/effect.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import { sourcePathText, type SourcePath } from '../../../source/place.ts';

/** The input of a program, or PROGRAM_INPUT with each part that does not fit. */
export function programInput<T>(schema: z.ZodMiniType<T>, { program, input }: Asked): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(
    ({ path, message }) => `${sourcePathText(path as SourcePath) || 'input'}: ${message}`,
  );
  throw new Fault('PROGRAM_INPUT', `"${program}" cannot use what it was given. ${places.join('; ')}.`, {
    hint: 'The workflow that asks for it does not fit this version.',
  });
}

type Asked = Pick<ComputeRun, 'program' | 'input'>;

/** It comes from a journal or an expression, so it is already JSON. */
const anyJson = z.custom<Json>((value) => value !== undefined);
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

/** By path: who names the file. */
export const filesSchema = z.object({ files: z.record(z.string(), z.string()) });

export const routeSchema = z.object({
  /** A path, or a list of them. */
  file: anyJson,
  function: anyJson,
  /** Text, or any other value: its texts are searched. */
  request: z.optional(anyJson),
});

export type ProgramInput = z.infer<typeof routeSchema>;
