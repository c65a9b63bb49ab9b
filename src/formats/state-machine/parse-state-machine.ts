import { validateWorkflow } from '../../core/check/validate.ts';
import type { Json } from '../../core/model/json.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import type { NamedPart, PlaceOf } from '../../core/evaluate/reserved-names.ts';
import { drafted, type Drafted, hasErrors } from '../../source/checked.ts';
import { type Origin, problemReport, type ProblemReport } from '../../source/problem-report.ts';
import { reportIssues } from '../../source/schema-problems.ts';
import type { SourcePath } from '../../source/place.ts';
import { lowerWorkflow } from './lower-workflow.ts';
import type { LoweringScope } from './lowering-scope.ts';
import { salvagedParts, wholeParts, type WorkflowParts } from './workflow-parts.ts';
import { stateMachineSchema } from './workflow-schema.ts';

/** The places of the model's names in the author's file. */
function namePlaces(parts: WorkflowParts, { report, base }: Pick<LoweringScope, 'report' | 'base'>): PlaceOf {
  return (part, name) => {
    const path = [...base, ...PATHS[part](parts, name)];
    return report.origin.locate(path, part === 'data' ? 'key' : 'value');
  };
}

const PATHS: Readonly<Record<NamedPart, (parts: WorkflowParts, name: string) => SourcePath>> = {
  inputs: ({ header: { inputs } }, name) =>
    inputs === undefined ? ['input', 'name'] : ['inputs', inputs.findIndex((one) => one.name === name), 'name'],
  output: () => ['output', 'name'],
  data: (_, name) => ['variables', name],
  contexts: ({ contexts }, name) => ['contexts', contexts.findIndex((one) => one?.name === name), 'name'],
  agents: ({ agents }, name) => ['agents', agents.findIndex((one) => one?.agent_role === name), 'agent_role'],
  states: ({ states }, name) => ['states', (states ?? []).findIndex((one) => one?.name === name), 'name'],
};

/** A state-machine file (SM1), one workflow or a list of them: the workflows, or everything that is wrong with it. */
export function parseStateMachine(document: Json, origin: Origin): Drafted<readonly Workflow[]> {
  const report = problemReport(origin);
  const workflows = Array.isArray(document)
    ? document.map((one: Json, index) => parseOne(one, [index], report))
    : [parseOne(document, [], report)];
  if (Array.isArray(document) && document.length === 0) {
    report.error('WORKFLOW_MISSING', 'The list holds no workflow.', { path: [] });
  }
  reportDuplicates(workflows, report);
  return drafted(workflows, report.sorted());
}

function parseOne(document: Json, base: SourcePath, report: ProblemReport): Workflow {
  const parsed = stateMachineSchema.safeParse(document);
  if (!parsed.success) {
    reportIssues(parsed.error.issues, { schema: stateMachineSchema, document, base }, report);
    // The accepted part is checked too, so that all problems are reported at once.
    return lowerWorkflow(salvagedParts(document), { report, base });
  }
  const found = report.problems.length;
  const parts = wholeParts(parsed.data);
  const workflow = lowerWorkflow(parts, { report, base });
  // Wrong names would show up again as states that cannot be reached.
  if (!hasErrors(report.problems.slice(found)))
    report.add(validateWorkflow(workflow, namePlaces(parts, { report, base })));
  return workflow;
}

function reportDuplicates(workflows: readonly Workflow[], report: ProblemReport): void {
  const seen = new Set<string>();
  for (const [index, { name }] of workflows.entries()) {
    // A missing name is reported already.
    if (name !== '' && seen.has(name)) {
      report.error('WORKFLOW_DUPLICATE', `Two workflows of this file are named "${name}".`, {
        path: [index, 'workflow_name'],
      });
    }
    seen.add(name);
  }
}
