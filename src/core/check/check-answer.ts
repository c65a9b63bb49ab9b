import type { Json } from '../model/json.ts';
import { shortJson } from '../model/short-json.ts';

/** The part of an open question that decides which answers fit. */
export interface AnswerableQuestion {
  readonly kind: 'ask' | 'limit' | 'permission';
  readonly choices: readonly string[];
}

export type ReadAnswer =
  | { readonly ok: true; readonly answer: Json }
  | { readonly ok: false; readonly message: string };

/**
 * A person's answer as the run will see it, or why it is none. A question with choices takes exactly one of them ([V3]: no
 * part of a sentence, no prefix, no empty answer counts as yes), a limit takes `continue`, `stop` or a new limit; without
 * choices any text is an answer. `allowed` is the current limit.
 */
export function readAnswer(question: AnswerableQuestion, answer: Json, allowed = 0): ReadAnswer {
  if (question.kind === 'limit') return readLimitAnswer(answer, allowed);
  if (question.choices.length === 0) return { ok: true, answer };
  const chosen = chosenOf(question, answer);
  if (chosen !== undefined) return { ok: true, answer: chosen };
  const known = question.choices.map((choice) => `"${choice}"`).join(', ');
  return { ok: false, message: `The answer must be one of ${known}; it is ${shortJson(answer)}.` };
}

/** The choice that was written, or its short form. Choices that differ only in case must match exactly. */
function chosenOf({ kind, choices }: AnswerableQuestion, answer: Json): string | undefined {
  const exact = choices.find((choice) => choice === answer);
  if (exact !== undefined) return exact;
  const given = normal(answer);
  const short = given === null ? undefined : (kind === 'permission' ? PERMISSION_WORDS : SHORT_FORMS).get(given);
  const fitting = (text: string | null | undefined): readonly string[] =>
    choices.filter((choice) => normal(choice) === text);
  const written = fitting(given);
  const [first, second] = written.length > 0 || short === undefined ? written : fitting(short);
  return second === undefined ? first : undefined;
}

const LIMIT_WORDS: ReadonlyMap<string, 'continue' | 'stop'> = new Map([
  ['continue', 'continue'],
  ['yes', 'continue'],
  ['y', 'continue'],
  ['stop', 'stop'],
  ['no', 'stop'],
  ['n', 'stop'],
  ['cancel', 'stop'],
]);

/** Where the choices are `yes` and `no`. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['y', 'yes'],
  ['n', 'no'],
]);

const PERMISSION_WORDS: ReadonlyMap<string, string> = new Map([
  ...SHORT_FORMS,
  ['allow', 'yes'],
  ['deny', 'no'],
  ['a', 'always'],
]);

function readLimitAnswer(answer: Json, allowed: number): ReadAnswer {
  const text = normal(answer);
  const word = text === null ? undefined : LIMIT_WORDS.get(text);
  if (word !== undefined) return { ok: true, answer: word };
  // Number('') is 0, and no limit is below 0, so an empty answer is never a new limit.
  const raised = text === null ? Number.NaN : Number(text);
  if (Number.isFinite(raised) && raised > allowed) return { ok: true, answer: raised };
  const accepted = `"continue", "stop" or a number above ${allowed}`;
  return { ok: false, message: `A limit is answered with ${accepted}; this is ${shortJson(answer)}.` };
}

/** Text, or a number as text, trimmed and in lower case. Null for other values. */
function normal(answer: Json): string | null {
  if (typeof answer !== 'string' && typeof answer !== 'number') return null;
  return String(answer).trim().toLowerCase();
}
