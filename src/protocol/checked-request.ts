import type { z } from 'zod';
import { Fault, type Problem } from '../core/model/fault.ts';

/**
 * A request as its operation takes it, through every face. A key that a program left undefined counts as absent.
 * REQUEST_INVALID names each key that is wrong.
 */
export function checkedRequest<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  hint: string,
): z.output<Schema> {
  const read = schema.safeParse(withoutUndefined(given));
  if (read.success) return read.data;
  const problems = schemaProblems(read.error);
  const what = problems.map(({ message }) => message).join('; ');
  throw new Fault('REQUEST_INVALID', `This request cannot be used: ${what}.`, { problems, hint });
}

/** Everything that is wrong with a request, each with its place. */
export const schemaProblems = ({ issues }: z.ZodError): readonly Problem[] =>
  issues.map(({ path, message }) => ({
    code: 'REQUEST_INVALID',
    severity: 'error',
    path: path.join('.'),
    message: path.length === 0 ? message : `${path.join('.')}: ${message}`,
  }));

function withoutUndefined(given: unknown): unknown {
  if (!isPlainObject(given)) return given;
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutUndefined(value)]));
}

/** An object of a class, such as an AbortSignal, is passed on as it is. */
function isPlainObject(given: unknown): given is object {
  if (typeof given !== 'object' || given === null) return false;
  const prototype: unknown = Object.getPrototypeOf(given);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
