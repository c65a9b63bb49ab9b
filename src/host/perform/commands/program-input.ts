import * as z from 'zod/mini';
import type { ComputeRun } from '../../../core/model/effect.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { Json } from '../../../core/model/json.ts';
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
export const anyJson = z.custom<Json>((value) => value !== undefined);
