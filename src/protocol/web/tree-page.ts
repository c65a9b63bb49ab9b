import { z } from 'zod';
import { list, type Wire } from '../operations/parts.ts';

const treeRunSchema = z.object({
  run: z.string(),
  parent: z.string().nullable(),
  workflow: z.string(),
  seq: z.number(),
  status: z.enum(['running', 'waiting', 'paused', 'settled']),
});

/** `GET /api/runs/:run/tree`: a run and all below it, parents before their children, the oldest first. */
export const treePageSchema = z.object({ runs: list(treeRunSchema) });

export type TreePage = Wire<typeof treePageSchema>;
