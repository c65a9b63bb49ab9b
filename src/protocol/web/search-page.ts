import { z } from 'zod';
import { list, type Wire } from '../operations/parts.ts';

const searchHitSchema = z.object({
  run: z.string(),
  seq: z
    .number()
    .nullable()
    .describe('Null if it occurs in what lists show of the run: its title, workflow, id or project'),
  at: z.number(),
  kind: z.string().describe('The kind of the fact; or what of the run it is'),
  path: list(z.union([z.string(), z.number()])).describe('Keys and indexes from the fact down to the text'),
  excerpt: z.string(),
  offset: z.number().describe('Where in the excerpt it begins'),
  count: z.number().describe('How often it occurs in this record, or run'),
});

/** `GET /api/search`: where a text stands in the records of a run and of those below it, or, without a run, which runs are about it. */
export const searchPageSchema = z.object({
  query: z.string(),
  hits: list(searchHitSchema).describe('The first of them, in order'),
  count: z.number().describe('How often it occurs there in total'),
  places: z.number().describe('Records, or runs, that have it'),
  isWhole: z
    .boolean()
    .describe('False: there was more than could be looked at in the time there is; the counts are of what was'),
});

export type SearchPage = Wire<typeof searchPageSchema>;
export type SearchHit = Wire<typeof searchHitSchema>;
