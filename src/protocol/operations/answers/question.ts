import { z } from 'zod';
import { APPROVES } from '../../../core/record/question-fact.ts';
import { list, type Wire } from '../parts.ts';

const choiceDetail = z.object({
  answer: z.string().describe('One of the choices'),
  label: z.string().exactOptional().describe('A short text for its button'),
  description: z.string().exactOptional().describe('What speaks for and against it, in markdown'),
  workspace: z.string().exactOptional().describe('The workspace whose changes are chosen, as `diff` takes it'),
});

export const choiceDetailsSchema = list(choiceDetail).describe('What each choice means, where its workflow says so');

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
  choiceDetails: choiceDetailsSchema.exactOptional(),
  approves: z
    .enum(APPROVES)
    .exactOptional()
    .describe(
      'It is an approval, also where it takes any text: for the files when it was asked, or for those at the answer',
    ),
  state: z.string(),
  at: z.number(),
  mark: z
    .string()
    .exactOptional()
    .describe('The mark of the files that an approval is asked for; an answer is taken only for these'),
  isAgain: z.literal(true).exactOptional().describe('The files changed after it was asked, so an answer was not taken'),
});

export type QuestionView = Wire<typeof questionViewSchema>;
