import { writtenAt } from '../evaluate/evaluation.ts';
import type { JsonObject } from '../model/json.ts';
import type { Failure } from '../model/outcome.ts';
import type { StepProgress } from './progress.ts';
import { shortJson } from '../model/short-json.ts';
import type { WorkPlace } from './start-task.ts';
import { fitsType, typeText } from '../model/value-type.ts';

/**
 * The mistake in the values a sub-workflow would be called with, or null. Reported at the call, because the called workflow
 * is fine. Unknown names were reported when the file was loaded.
 */
export function callInputProblem(
  progress: StepProgress,
  { workflow, input }: { readonly workflow: string; readonly input: JsonObject },
  place: WorkPlace,
): Failure | null {
  const { library } = progress.definition;
  const called = Object.hasOwn(library, workflow) ? library[workflow] : undefined;
  const where = `which state ${place.state.name}${writtenAt(progress, place.state.at)} calls`;
  for (const { name, type, required } of called?.inputs ?? []) {
    const given = (Object.hasOwn(input, name) ? input[name] : null) ?? null;
    if (given === null) {
      if (!required) continue;
      const message = `The input "${name}" (${type}) of ${workflow}, ${where}, came out empty.`;
      return { code: 'INPUT_MISSING', message, class: 'script', hint: 'Set the variable it reads before this state.' };
    }
    if (fitsType(given, type)) continue;
    const message = `The input "${name}" of ${workflow}, ${where}, must be ${typeText(type)}; it is ${shortJson(given)}.`;
    return { code: 'INPUT_TYPE', message, class: 'script' };
  }
  return null;
}
