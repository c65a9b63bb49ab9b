import type { Json } from '../../../core/model/json.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import type { Checked } from '../../../source/checked.ts';
import { parsePlanned } from '../../../source/parse-each.ts';
import type { Origin } from '../../../source/problem-report.ts';
import { checkQuest } from './check-quest.ts';
import { lowerQuest } from './lower-quest.ts';
import { lowerStep } from './lower-step.ts';
import { questPlan } from './quest-plan.ts';
import { questFileSchema } from './quest-schema.ts';

/** A file that says who takes part in a quest and where their signals lead (Q6), one or a list of them. */
export const parseQuest = (document: Json, origin: Origin): Checked<readonly Workflow[]> =>
  parsePlanned(document, origin, {
    schema: questFileSchema,
    plan: (read, base, { file, locate }) =>
      questPlan(read, { file, placeOf: (part, role) => locate([...base, part, role], 'key') }),
    check: checkQuest,
    lower: (plan) => [lowerQuest(plan), lowerStep(plan)],
  });
