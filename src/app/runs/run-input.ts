import { Fault, type Problem } from '../../core/fault.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Workflow } from '../../core/workflow.ts';
import { checkInput, type GivenInput } from '../../dialects/check-input.ts';
import { valueOrFault } from '../../dialects/source/checked.ts';

/** The input of a run, by name or as one value for the first, as its workflow wants it. */
export async function runInput(given: GivenInput, workflow: Workflow): Promise<JsonObject> {
  const input = valueOrFault(checkInput(workflow, given), 'INPUT_INVALID');
  refuseEmpty(input, workflow);
  await refuseUnfit(input, workflow);
  return input;
}

/** The schemas that the workflow was defined with hold on every face. INPUT_INVALID. */
export async function refuseUnfit(input: JsonObject, { inputs }: Workflow): Promise<void> {
  const strict = inputs.filter(({ name, schema }) => schema !== undefined && input[name] !== undefined);
  if (strict.length === 0) return;
  const { validateArguments } = await import('../../tools/validate-arguments.ts');
  const problems = strict.flatMap(({ name, schema = {} }): readonly Problem[] => {
    const wrong = validateArguments(schema, input[name] ?? null);
    const message = `The input "${name}" does not fit: ${wrong}.`;
    return wrong === null ? [] : [{ code: 'INPUT_INVALID', message, severity: 'error', path: `input.${name}` }];
  });
  const [first] = problems;
  if (first !== undefined) throw new Fault('INPUT_INVALID', first.message, { problems });
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
