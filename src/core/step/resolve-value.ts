import { evaluateJson, writtenAt, type Evaluated } from '../evaluate/evaluation.ts';
import type { Expression } from '../model/expression.ts';
import type { Json } from '../model/json.ts';
import type { Failure } from '../model/outcome.ts';
import type { StepProgress } from './progress.ts';
import type { WorkPlace } from './start-task.ts';

/** Values of expressions in the work of a state. */

export function value(progress: StepProgress, expression: Expression, place: WorkPlace): Evaluated<Json> {
  return evaluateJson(progress, expression, {
    key: place.key,
    what: `The input of state ${place.state.name}`,
    locals: place.locals,
    at: place.state.at,
  });
}

/** A message to an agent or a person must not be empty: nothing is a named failure, not the word "undefined". */
export function textValue(progress: StepProgress, expression: Expression, place: WorkPlace): Evaluated<string> {
  const found = value(progress, expression, place);
  if (found.kind !== 'value') return found;
  if (found.value === null || found.value === '') return { kind: 'failed', failure: nothingToSay(progress, place) };
  return { kind: 'value', value: typeof found.value === 'string' ? found.value : JSON.stringify(found.value) };
}

export function nothingToSay(progress: StepProgress, place: WorkPlace): Failure {
  return {
    code: 'INPUT_UNDEFINED',
    message: `The input of state ${place.state.name}${writtenAt(progress, place.state.at)} came out empty.`,
    class: 'script',
    hint: 'Set the variable it reads before this state, or give a default with ||.',
  };
}

export function map<T, U>(from: Evaluated<T>, change: (value: T) => U): Evaluated<U> {
  return from.kind === 'value' ? { kind: 'value', value: change(from.value) } : from;
}

/** A list of texts, or one; nothing is an empty list. */
export function texts(
  progress: StepProgress,
  expression: Expression | undefined,
  place: WorkPlace,
): Evaluated<readonly string[]> {
  if (expression === undefined) return { kind: 'value', value: [] };
  return map(value(progress, expression, place), (found) => {
    const list: readonly Json[] = Array.isArray(found) ? found : [found];
    return list.filter((one) => typeof one === 'string' && one !== '') as readonly string[];
  });
}
