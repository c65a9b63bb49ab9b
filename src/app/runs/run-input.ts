import { Fault } from '../../core/fault.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Workflow } from '../../core/workflow.ts';
import { checkInput, type GivenInput } from '../../dialects/check-input.ts';
import { valueOrFault } from '../../dialects/source/checked.ts';

/** The input of a run, by name or as one value for the first, as its workflow wants it. */
export function runInput(given: GivenInput, workflow: Workflow): JsonObject {
  const input = valueOrFault(checkInput(workflow, given), 'INPUT_INVALID');
  refuseEmpty(input, workflow);
  return input;
}

/** Agents would be paid to guess what an empty task means. */
export function refuseEmpty(input: JsonObject, { name: workflow, inputs }: Workflow): void {
  const empty = inputs.find(({ name, required }) => required && isBlank(input[name]));
  if (empty === undefined) return;
  const about = empty.description === '' ? '' : `: ${empty.description}`;
  throw new Fault('INPUT_EMPTY', `The input "${empty.name}" of "${workflow}" is empty${about}.`, {
    hint: `As in: troupe run ${workflow} ${empty === inputs[0] ? '' : `--input ${empty.name}=`}"…"`,
  });
}

const isBlank = (value: Json | undefined): boolean => typeof value === 'string' && value.trim() === '';
