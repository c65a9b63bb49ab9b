import type { z } from 'zod';
import { Fault } from '../../core/fault.ts';
import { schemaProblems } from '../../protocol/schema-problems.ts';

/** A request as its operation takes it. REQUEST_INVALID names each key that is wrong. */
export function checkedRequest<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw new Fault('REQUEST_INVALID', 'These options cannot be used.', {
    problems: schemaProblems(read.error, 'REQUEST_INVALID'),
    hint: 'See docs/guide/library.md for what each method takes.',
  });
}
