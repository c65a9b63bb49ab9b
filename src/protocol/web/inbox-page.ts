import { z } from 'zod';
import { questionViewSchema } from '../operations/answers/question.ts';
import { list, type Wire } from '../operations/parts.ts';

const askedQuestionSchema = z.object({
  run: z.string().describe("The root run: `answer` takes it together with the question's name"),
  workflow: z.string(),
  title: z.string(),
  project: z.string(),
  question: questionViewSchema,
});

const unreadRunSchema = z.object({
  run: z.string(),
  workflow: z.string(),
  title: z.string(),
  damage: z.string().nullable().describe('Why it cannot be read; null where it only takes longer'),
});

/** `GET /api/questions`: the open questions of all runs, the oldest first. */
export const inboxPageSchema = z.object({
  questions: list(askedQuestionSchema),
  unread: list(unreadRunSchema).describe('Runs that may have more questions than are listed'),
});

export type InboxPage = Wire<typeof inboxPageSchema>;
export type UnreadRun = Wire<typeof unreadRunSchema>;
export type AskedQuestion = Wire<typeof askedQuestionSchema>;
