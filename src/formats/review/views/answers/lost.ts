import { z } from 'zod';
import type { Wire } from '../../../../protocol/operations/parts.ts';

export const lostImplementationSchema = z.object({
  id: z.string(),
  outcome: z.string(),
  reason: z.string().nullable(),
});

export type LostImplementation = Wire<typeof lostImplementationSchema>;
