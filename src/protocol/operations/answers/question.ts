import { z } from 'zod';
import { APPROVES } from '../../../core/record/question-fact.ts';
import { list, type Wire } from '../parts.ts';

/** Something only a person can settle. The same shape on every surface, so that any of them can answer. */
export const questionViewSchema = z.object({
  id: z.string(),
  name: z
    .string()
    .describe('Short, for people; seen from above it begins with the way down to the run that asks, as in `t3/q1`'),
  run: z.string().describe('The run that asks: the one shown or a child of it'),
  kind: z.enum(['ask', 'limit', 'permission']),
  text: z.string(),
  choices: list(z.string()),
  approves: z.enum(APPROVES).exactOptional().describe('It takes any text, and is an approval all the same'),
  state: z.string(),
  at: z.number(),
  mark: z
    .string()
    .exactOptional()
    .describe('The mark of the files that an approval is asked for; an answer is taken only for these'),
  isAgain: z.literal(true).exactOptional().describe('The files changed after it was asked, so an answer was not taken'),
});

export type QuestionView = Wire<typeof questionViewSchema>;
