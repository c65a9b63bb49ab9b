import { z } from 'zod';

const text = z.string().max(1000);
const record = z.coerce.number().int().min(0);

export const runsQuery = z.object({
  q: text.exactOptional().describe('Words that all stand in the title, the workflow, the id or the project'),
  column: z.enum(['running', 'needs-you', 'review', 'done']).exactOptional(),
  workflow: text.exactOptional(),
  project: text.exactOptional(),
  archived: z.enum(['true']).exactOptional().describe('Those that were archived as well'),
  cursor: text.exactOptional().describe('As the page before names it'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const recordsQuery = z.object({
  after: record.default(0).describe('Records with a number above this one'),
  limit: z.coerce.number().int().min(1).max(2000).default(2000),
});

export const eventsQuery = z.object({
  after: record.default(0).describe('Records with a number above this one; a Last-Event-ID wins'),
});

export const searchQuery = z.object({
  q: z.string().min(1).max(1000),
  run: text.exactOptional().describe('In the records of this run and of those below it; else in what runs are about'),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});
