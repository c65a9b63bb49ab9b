import { z } from 'zod';
import { list, type Wire } from '../parts.ts';

/** A file that several workspaces changed, before they are merged. */
export const overlapViewSchema = z.object({
  file: z.string(),
  by: list(
    z.object({
      run: z.string().describe('The run that the workspace belongs to'),
      workspace: z.string(),
      unit: z.string().nullable().describe('The unit of a pool that the run does'),
      agents: list(z.string()).describe('The agents that changed files in the workspace'),
    }),
  ),
});

export type OverlapView = Wire<typeof overlapViewSchema>;
