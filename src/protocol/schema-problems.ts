import type { z } from 'zod';
import type { Problem } from '../core/fault.ts';

/** All that is wrong with what was sent, each with its place. */
export const schemaProblems = ({ issues }: z.ZodError, code: string): readonly Problem[] =>
  issues.map(({ path, message }) => ({
    code,
    severity: 'error',
    path: path.join('.'),
    message: path.length === 0 ? message : `${path.join('.')}: ${message}`,
  }));
