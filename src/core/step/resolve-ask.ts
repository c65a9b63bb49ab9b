import { writtenAt, type Evaluated } from '../evaluate/evaluation.ts';
import type { Expression } from '../model/expression.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import { shortJson } from '../model/short-json.ts';
import type { AskWork } from '../model/workflow.ts';
import type { ChoiceDetail } from '../record/question-fact.ts';
import type { ResolvedWork } from '../record/task-fact.ts';
import type { StepProgress } from './progress.ts';
import { map, textValue, value } from './resolve-value.ts';
import type { WorkPlace } from './start-task.ts';

type AskedChoices = Pick<Extract<ResolvedWork, { kind: 'ask' }>, 'choices' | 'choiceDetails'>;

/** The question with its choices, as a person gets them. */
export function resolveAsk(progress: StepProgress, work: AskWork, place: WorkPlace): Evaluated<ResolvedWork> {
  const { kind, approves } = work;
  const offered = choicesOf(progress, work.choices, place);
  if (offered.kind !== 'value') return offered;
  return map(textValue(progress, work.question, place), (question) => ({
    kind,
    question,
    ...offered.value,
    ...(approves === undefined ? {} : { approves }),
  }));
}

/** An empty list is an error too: the question would take any text instead. */
function choicesOf(
  progress: StepProgress,
  choices: readonly string[] | Expression,
  place: WorkPlace,
): Evaluated<AskedChoices> {
  if (!('kind' in choices)) return { kind: 'value', value: { choices } };
  const found = value(progress, choices, { ...place, key: `${place.key}/choices` });
  if (found.kind !== 'value') return found;
  const listed: readonly Json[] = Array.isArray(found.value) ? found.value : [];
  const details = listed.flatMap((one) => detailIn(one) ?? []);
  const answers = details.map(({ answer }) => answer);
  if (answers.length === listed.length && answers.length > 0 && new Set(answers).size === answers.length)
    return { kind: 'value', value: { choices: answers, ...described(details) } };
  const { state } = place;
  const message = `The choices of state ${state.name}${writtenAt(progress, state.at)} must be a list of different texts, or of objects with "answer"; they are ${shortJson(found.value)}.`;
  return { kind: 'failed', failure: { code: 'CHOICES_INVALID', message, class: 'script' } };
}

const described = (details: readonly ChoiceDetail[]): Pick<AskedChoices, 'choiceDetails'> =>
  details.some((detail) => Object.keys(detail).length > 1) ? { choiceDetails: details } : {};

/** Null: it is no choice. */
function detailIn(given: Json): ChoiceDetail | null {
  if (typeof given === 'string') return given === '' ? null : { answer: given };
  if (!isJsonObject(given) || typeof given['answer'] !== 'string' || given['answer'] === '') return null;
  const texts = (['label', 'description', 'workspace'] as const).flatMap((key) =>
    typeof given[key] === 'string' && given[key] !== '' ? [[key, given[key]] as const] : [],
  );
  return { answer: given['answer'], ...Object.fromEntries(texts) };
}
