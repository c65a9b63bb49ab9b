import { z } from 'zod';
import { list, type Wire } from '../operations/parts.ts';

/** Every answer that is no success has this body. */
export const apiErrorSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.string().exactOptional(),
    problems: list(z.unknown()).exactOptional(),
  }),
});

export type ApiError = Wire<typeof apiErrorSchema>;
