import type { ZodMiniType } from 'zod/mini';
import { validateWorkflow } from '../core/check/validate.ts';
import type { Json } from '../core/model/json.ts';
import type { Workflow } from '../core/model/workflow.ts';
import { checked, type Checked, hasErrors } from './checked.ts';
import type { SourcePath } from './place.ts';
import { reportIssues } from './schema-problems.ts';
import { problemReport, type Origin, type ProblemReport } from './problem-report.ts';

/** A document, or each of a list of them, with the problems of all. */
export function parseEach<T>(
  document: Json,
  origin: Origin,
  parseOne: (one: Json, base: SourcePath, report: ProblemReport) => readonly T[],
): Checked<readonly T[]> {
  const report = problemReport(origin);
  const found = Array.isArray(document)
    ? document.flatMap((one: Json, index) => parseOne(one, [index], report))
    : parseOne(document, [], report);
  return checked(found, report.sorted());
}

/** How to build a plan from a document that fits its schema, and workflows from the plan. */
export interface PlannedParse<D, Plan> {
  readonly schema: ZodMiniType<D>;
  readonly plan: (document: D, base: SourcePath, origin: Origin) => Plan;
  readonly check: (plan: Plan, base: SourcePath, report: ProblemReport) => void;
  readonly lower: (plan: Plan) => readonly Workflow[];
}

/** The same, with a plan that is checked before workflows are made from it. */
export function parsePlanned<D, Plan>(
  document: Json,
  origin: Origin,
  { schema, plan, check, lower }: PlannedParse<D, Plan>,
): Checked<readonly Workflow[]> {
  return parseEach(document, origin, (one, base, report) => {
    const parsed = schema.safeParse(one);
    if (!parsed.success) {
      reportIssues(parsed.error.issues, { schema, document: one, base }, report);
      return [];
    }
    const made = plan(parsed.data, base, report.origin);
    const found = report.problems.length;
    check(made, base, report);
    if (hasErrors(report.problems.slice(found))) return [];
    const workflows = lower(made);
    for (const workflow of workflows) report.add(validateWorkflow(workflow));
    return workflows;
  });
}
