import { z } from 'zod';
import { line, run } from '../../../protocol/operations/parts.ts';
import { pairChangesSchema } from '../../../protocol/web/changes-page.ts';
import { compareViewSchema } from './compare-view.ts';
import { debateViewSchema } from './debate-view.ts';

/** The views of a review, as the server offers them too. */
export const REVIEW_VIEWS = {
  debate: { summary: 'Findings and positions', request: z.strictObject({ run }), answer: debateViewSchema },
  compare: {
    summary: 'Implementations side by side',
    request: z.strictObject({ run, between: z.tuple([line, line]).readonly().exactOptional() }),
    answer: z.discriminatedUnion('kind', [compareViewSchema, pairChangesSchema]),
  },
} as const;
