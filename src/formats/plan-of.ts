import type { Definition } from '../core/model/definition.ts';
import { Fault } from '../core/model/fault.ts';

/** The plan that the family's parser wrote into the definition. */
export function planOf({ workflow }: Definition): unknown {
  if (workflow.plan !== undefined) return workflow.plan;
  throw new Fault('PROGRAM_INPUT', `The definition of "${workflow.name}" has no plan.`, {
    hint: 'It was made by another version of Troupe: start the run again.',
  });
}
