import { z } from 'zod';
import { listAnswer } from '../protocol/operations/parts.ts';
import { questStepSchema, questViewSchema } from './quest/views/quest-view.ts';
import { REVIEW_VIEWS } from './review/views/review-views.ts';

/** What can be looked at of the runs of a single family. A further one is a line here. */
export const FAMILY_VIEWS = { ...REVIEW_VIEWS };

/** What the command of a family prints with `--json`, besides what every start of a run prints. */
export const FAMILY_ANSWERS: Readonly<Record<string, readonly z.ZodType[]>> = {
  quest: [questViewSchema, listAnswer('steps', questStepSchema).extend({ run: z.string() })],
};
