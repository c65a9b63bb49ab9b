import type { Workflow } from '../../core/workflow.ts';

export interface ListedWorkflow {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly string[];
  readonly origin: 'project' | 'shipped';
  readonly file: string | null;
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
