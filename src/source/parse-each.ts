import type { ZodMiniType } from 'zod/mini';
import { validateWorkflow } from '../core/check/validate.ts';
import type { Json } from '../core/model/json.ts';
import type { Workflow } from '../core/model/workflow.ts';
import { checked, type Checked, hasErrors } from './checked.ts';
import type { SourcePath } from './place.ts';
import { reportIssues } from './schema-problems.ts';
import { problemReport, type Origin, type ProblemReport } from './problem-report.ts';

type ParseOne<T> = (one: Json, base: SourcePath, report: ProblemReport) => readonly T[];

/** What is found in a document, or in each of a list of them. */
export const foundInEach = <T>(document: Json, report: ProblemReport, parseOne: ParseOne<T>): readonly T[] =>
  Array.isArray(document)
    ? document.flatMap((one: Json, index) => parseOne(one, [index], report))
    : parseOne(document, [], report);

/** How to build a plan from a document that fits its schema, and workflows from the plan. */
export interface PlannedParse<D, Plan> {
  readonly schema: ZodMiniType<D>;
  readonly plan: (document: D, base: SourcePath, origin: Origin) => Plan;
  readonly check: (plan: Plan, base: SourcePath, report: ProblemReport) => void;
  readonly lower: (plan: Plan) => readonly Workflow[];
}

/** A plan is checked before workflows are made from it. */
export function parsePlanned<D, Plan>(
  document: Json,
  origin: Origin,
  { schema, plan, check, lower }: PlannedParse<D, Plan>,
): Checked<readonly Workflow[]> {
  const report = problemReport(origin);
  const found = foundInEach(document, report, (one, base) => {
    const parsed = schema.safeParse(one);
    if (!parsed.success) {
      reportIssues(parsed.error.issues, { schema, document: one, base }, report);
      return [];
    }
    const made = plan(parsed.data, base, report.origin);
    const before = report.problems.length;
    check(made, base, report);
    if (hasErrors(report.problems.slice(before))) return [];
    const workflows = lower(made);
    for (const workflow of workflows) report.add(validateWorkflow(workflow));
    return workflows;
  });
  return checked(found, report.sorted());
}
