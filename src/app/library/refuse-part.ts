import { calledWorkflows } from '../../core/call-graph.ts';
import { Fault } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import type { ProjectView } from './project-trust.ts';
import { loadLibrary } from './workflow-library.ts';

/** A workflow that merges into the run that started it cannot be started by itself: it would work, and then fail. */
export async function refusePart(workflow: Workflow, view: ProjectView): Promise<void> {
  const state = homeMergeOf(workflow);
  if (state === null) return;
  const library = await loadLibrary(view);
  const all = new Map([...library.shipped, ...library.own].map((one) => [one.name, one]));
  const wholes = [...all.values()].filter(
    (one) => homeMergeOf(one) === null && calledWorkflows(one, all).some(({ name }) => name === workflow.name),
  );
  const names = wholes.map(({ name }) => name).join(', ');
  throw new Fault(
    'WORKFLOW_IS_PART',
    `${workflow.name} is a part of ${names === '' ? 'other workflows' : names}: its state ${state} merges into the run that started it, and here no run does.`,
    { hint: names === '' ? 'Start a workflow that calls it.' : `Start ${names} instead.` },
  );
}

/** The state that merges into the run above; null where none does. */
function homeMergeOf({ states }: Workflow): string | null {
  const found = Object.entries(states).find(
    ([, state]) =>
      state.kind === 'work' &&
      state.work.kind === 'merge' &&
      state.work.agent === null &&
      state.work.unit === undefined,
  );
  return found?.[0] ?? null;
}
