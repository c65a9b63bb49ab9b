import { z } from 'zod';
import { listAnswer } from '../../protocol/operations/parts.ts';
import { questStepSchema, questViewSchema } from '../quest/views/quest-view.ts';
import { REVIEW_VIEWS } from '../review/views/review-views.ts';

/** Views of the runs of single families. A further family is a line here. */
export const FAMILY_VIEWS = { ...REVIEW_VIEWS };

/** The output of a family's command with `--json`, besides that of every start of a run. */
export const FAMILY_ANSWERS: Readonly<Record<string, readonly z.ZodType[]>> = {
  quest: [questViewSchema, listAnswer('steps', questStepSchema).extend({ run: z.string() })],
};
