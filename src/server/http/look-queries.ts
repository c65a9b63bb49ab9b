import { z } from 'zod';

const line = z.string().min(1).max(10_000);
const yes = z.enum(['', '1', 'true']).exactOptional();

export const changesQuery = z.object({
  workspace: line.exactOptional(),
  agent: line.exactOptional(),
  from: line.exactOptional().describe('Since this step; since it began where it is left out'),
  to: line.exactOptional().describe('Until this step'),
  project: yes.describe('Against the files of the project as they are now'),
  against: line.exactOptional().describe("Against a branch, tag or commit of the project's repository"),
  disk: yes.describe('Until what the folder holds now'),
  stat: yes.describe('Without the patch'),
});

export const compareQuery = z.object({
  diff: z
    .string()
    .regex(/^[^,]+,[^,]+$/)
    .exactOptional()
    .describe('Two implementations with a comma between'),
});

export const requestsQuery = z.object({
  call: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .exactOptional()
    .describe('One request in full, by its number'),
});

export const artifactsQuery = z.object({ why: yes.describe('Where each comes from') });

export const contentQuery = z.object({ download: yes.describe('As a file to keep') });

export const fileQuery = z.object({
  workspace: line.default('main'),
  path: line,
  at: z.coerce.number().int().positive().exactOptional().describe('As it was at this record'),
  tree: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .exactOptional()
    .describe('As it is in this tree, such as those that the changes name'),
  download: yes,
});

export const logsQuery = z.object({ task: line.exactOptional().describe('Only this turn, such as t3 or t2/t1') });
