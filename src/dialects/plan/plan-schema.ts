import * as z from 'zod/mini';
import { freeText, nameText } from '../source/schema-parts.ts';

/** How much may go wrong with a task. */
export const RISKS = ['low', 'medium', 'high'] as const;

const filled = freeText.check(z.refine((text) => text.trim() !== '', { error: 'must not be empty' }));

/** One task of a plan (PH4). Further keys are the planner's own. */
export const plannedTaskSchema = z.looseObject(
  {
    id: z.union([nameText, z.int()], { error: 'must be a whole number or a name' }),
    description: filled,
    files: z.array(filled, { error: 'must be a list of paths' }),
    risk: z.enum(RISKS, { error: `must be one of ${RISKS.join(', ')}` }),
  },
  { error: 'must be a task with id, description, files and risk' },
);

export const taskListSchema = z
  .array(plannedTaskSchema, { error: 'must be a list of tasks' })
  .check(z.minLength(1, { error: 'must have at least one task' }));

/** `task.json` as editors check it: the list itself, or a mapping with `tasks`. */
export const planFileSchema = z.union([taskListSchema, z.looseObject({ tasks: taskListSchema })]);

export type PlannedTask = z.infer<typeof plannedTaskSchema>;
