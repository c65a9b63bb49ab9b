import { z } from 'zod';

const LONGEST = 100_000;

export const graphQuery = z.object({
  open: z.string().max(LONGEST).exactOptional().describe('The nodes whose inside is shown, by id, with commas between'),
  direction: z.enum(['right', 'down']).exactOptional().describe('The one that can be shown larger unless given'),
});
