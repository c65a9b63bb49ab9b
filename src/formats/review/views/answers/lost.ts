import { z } from 'zod';

export const lostImplementationSchema = z.object({
  id: z.string(),
  outcome: z.string(),
  reason: z.string().nullable(),
});
