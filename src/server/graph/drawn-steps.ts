import type { Workflow } from '../../core/model/workflow.ts';
import { familyOf } from '../../formats/families.ts';

/**
 * Which state stands for which in a drawing, by state. Formats whose states are made by the engine and not by their author are
 * drawn by what he wrote; this is read from the states alone, so it holds for a run that began anywhere.
 */
export function drawnSteps(workflow: Workflow): ReadonlyMap<string, string> {
  const { states } = workflow;
  const names = Object.keys(states);
  const stepOf = familyOf(workflow).drawnAs;
  if (stepOf === undefined) return new Map(names.map((name) => [name, name]));
  const steps = names.map((name) => [name, stepOf(name, states)] as const);
  // One whose step is not there stands for itself.
  return new Map(steps.map(([name, step]) => [name, Object.hasOwn(states, step) ? step : name]));
}
