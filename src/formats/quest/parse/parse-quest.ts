import { validateWorkflow } from '../../../core/check/validate.ts';
import type { Json } from '../../../core/model/json.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { hasErrors, type Checked } from '../../../source/checked.ts';
import { parseEach } from '../../../source/parse-each.ts';
import type { Origin, ProblemReport } from '../../../source/problem-report.ts';
import { reportIssues } from '../../../source/schema-problems.ts';
import type { SourcePath } from '../../../source/place.ts';
import { checkQuest } from './check-quest.ts';
import { lowerQuest } from './lower-quest.ts';
import { lowerStep } from './lower-step.ts';
import { questPlan } from './quest-plan.ts';
import { questFileSchema } from './quest-schema.ts';

/** A file that says who takes part in a quest and where their signals lead (Q6), one or a list of them. */
export function parseQuest(document: Json, origin: Origin): Checked<readonly Workflow[]> {
  return parseEach(document, origin, parseOne);
}

function parseOne(document: Json, base: SourcePath, report: ProblemReport): readonly Workflow[] {
  const parsed = questFileSchema.safeParse(document);
  if (!parsed.success) {
    reportIssues(parsed.error.issues, { schema: questFileSchema, document, base }, report);
    return [];
  }
  const { file, locate } = report.origin;
  const plan = questPlan(parsed.data, { file, placeOf: (part, role) => locate([...base, part, role], 'key') });
  const found = report.problems.length;
  checkQuest(plan, base, report);
  if (hasErrors(report.problems.slice(found))) return [];
  const workflows = [lowerQuest(plan), lowerStep(plan)];
  for (const workflow of workflows) report.add(validateWorkflow(workflow));
  return workflows;
}
