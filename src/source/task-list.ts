import * as z from 'zod/mini';
import { isJsonObject, type Json } from '../core/model/json.ts';
import { PathRefused, splitPath } from '../lib/confined-path.ts';
import { checked, type Checked, refusedSource } from './checked.ts';
import { problemReport, type ProblemReport } from './problem-report.ts';
import { readDocument } from './read-document.ts';
import { reportIssues } from './schema-problems.ts';
import type { SourcePath } from './place.ts';
import { freeText, nameText } from './schema-parts.ts';

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

const taskListSchema = z
  .array(plannedTaskSchema, { error: 'must be a list of tasks' })
  .check(z.minLength(1, { error: 'must have at least one task' }));

/** `task.json` as editors check it: the list itself, or a mapping with `tasks`. */
export const planFileSchema = z.union([taskListSchema, z.looseObject({ tasks: taskListSchema })]);

type PlannedTask = z.infer<typeof plannedTaskSchema>;

/** A plan's tasks as written in its file. */
export interface Plan {
  readonly document: Json;
  readonly tasks: readonly PlannedTask[];
}

/** Reads `task.json` (PH4): a list of tasks, or a mapping with `tasks`. Reports every problem with its place. */
export function readPlan(text: string, file: string): Checked<Plan> {
  const read = readDocument(text, { file });
  if (!read.ok) return read;
  const { document, locate } = read.value;
  const report = problemReport({ file, locate });
  const base: SourcePath = isJsonObject(document) ? ['tasks'] : [];
  const list = isJsonObject(document) ? document['tasks'] : document;
  if (list === undefined) {
    report.error('KEY_MISSING', '"tasks" is missing: a plan is a list of tasks, or a mapping with "tasks".', {
      path: [],
    });
    return refusedSource(report.sorted());
  }
  const parsed = taskListSchema.safeParse(list);
  if (!parsed.success) {
    reportIssues(parsed.error.issues, { schema: taskListSchema, document: list, base }, report);
    return refusedSource(report.sorted());
  }
  checkTasks(parsed.data, base, report);
  return checked({ document, tasks: parsed.data }, report.sorted());
}

function checkTasks(tasks: readonly PlannedTask[], base: SourcePath, report: ProblemReport): void {
  const seen = new Set<string>();
  for (const [index, { id, files }] of tasks.entries()) {
    const key = String(id);
    if (seen.has(key))
      report.error('NAME_DUPLICATE', `There is more than one task "${key}".`, { path: [...base, index, 'id'] });
    seen.add(key);
    for (const [at, path] of files.entries()) {
      const why = pathProblem(path);
      if (why !== null) report.error('PATH_OUTSIDE', why, { path: [...base, index, 'files', at] });
    }
  }
}

function pathProblem(path: string): string | null {
  try {
    splitPath(path);
    return null;
  } catch (error) {
    if (error instanceof PathRefused) return error.message;
    throw error;
  }
}
