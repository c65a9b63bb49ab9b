import type { Workflow } from '../../core/workflow.ts';
import type { Invocation } from '../command-spec.ts';
import { openProject } from '../../app/config/project.ts';
import { EXIT } from '../exit-code.ts';
import { flag } from '../invocation.ts';
import { loadLibrary } from '../session/workflow-library.ts';
import { problemText } from '../terminal/fault-text.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { table } from '../terminal/table.ts';

export interface ListedWorkflow {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly string[];
  readonly origin: 'project' | 'shipped';
  readonly file: string | null;
}

/** `troupe workflows`: what can be run here by name. */
export async function workflowsCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const library = await loadLibrary({ project: await openProject(terminal), terminal });
  const workflows = listedWorkflows(library);
  if (flag(invocation, 'json')) terminal.stdout.write(`${JSON.stringify(workflows)}\n`);
  else terminal.stdout.write(`${workflowsText(workflows, terminal.stdout.columns || 120)}\n`);
  for (const problem of library.problems) terminal.stderr.write(`${problemText(problem)}\n`);
  return EXIT.ok;
}

export function listedWorkflows(library: {
  readonly own: readonly Workflow[];
  readonly shipped: readonly Workflow[];
}): readonly ListedWorkflow[] {
  const own = whole(library.own).map((workflow) => listed(workflow, 'project'));
  const names = new Set(own.map((workflow) => workflow.name));
  const shipped = whole(library.shipped).filter((workflow) => !names.has(workflow.name));
  return [...own, ...shipped.map((workflow) => listed(workflow, 'shipped'))];
}

/** Without those that are only parts of another, as phases and stages are. */
function whole(workflows: readonly Workflow[]): readonly Workflow[] {
  const names = new Set(workflows.map(({ name }) => name));
  return workflows.filter(
    ({ name, dialect }) => dialect === 'state-machine' || !names.has(name.split('/')[0] ?? '') || !name.includes('/'),
  );
}

function listed(workflow: Workflow, origin: ListedWorkflow['origin']): ListedWorkflow {
  const { name, description, file } = workflow;
  return { name, description, inputs: workflow.inputs.map((input) => input.name), origin, file: file ?? null };
}

export function workflowsText(workflows: readonly ListedWorkflow[], width: number): string {
  const rows = workflows.map((one) => [one.name, one.origin, one.inputs.join(', '), oneLine(one.description, 200)]);
  return table([['WORKFLOW', 'FROM', 'INPUT', 'ABOUT'], ...rows], width);
}
