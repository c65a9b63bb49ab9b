import { Fault } from '../../core/fault.ts';
import { isQuestionName } from '../../core/question-name.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { quotedWords } from '../../protocol/quoted-words.ts';

export interface ChosenQuestion {
  readonly question: QuestionView;
  readonly text: string;
}

/**
 * Which open question the words of `troupe answer RUN …` are for, and what is answered. The first word names a question: by
 * its short name, its id, or a beginning of either that only one has. Else all of it is the answer to the only one there is.
 */
export function chosenQuestion(
  given: readonly string[],
  { run, questions }: { readonly run: string; readonly questions: readonly QuestionView[] },
): ChosenQuestion {
  const [first = '', ...rest] = given;
  const [only, another] = questions;
  if (only === undefined) throw nothingAsked(run);
  const named = rest.length > 0 ? namedBy(first, questions) : undefined;
  if (named !== undefined) return { question: named, text: rest.join(' ') };
  // Never taken for the beginning of an answer: it was meant for a question that somebody else has answered.
  if (rest.length > 0 && isQuestionName(first)) throw notOpen(run, first, questions);
  const text = given.join(' ');
  if (another !== undefined) throw ambiguous(run, text, questions);
  return { question: only, text };
}

/** By its name or id alone, where a program names it. */
export function openQuestion(
  named: string,
  { run, questions }: { readonly run: string; readonly questions: readonly QuestionView[] },
): QuestionView {
  const found = questions.find(({ id, name }) => id === named || name === named);
  if (found !== undefined) return found;
  throw questions.length === 0 ? nothingAsked(run) : notOpen(run, named, questions);
}

/**
 * A beginning counts only where it has the look of an id: "t shirt" is an answer, and `q1` is never the beginning of `q10`,
 * since it may be the name of a question that is closed by now.
 */
function namedBy(word: string, questions: readonly QuestionView[]): QuestionView | undefined {
  const exact = questions.find(({ id, name }) => id === word || name === word);
  if (exact !== undefined || isQuestionName(word) || !word.includes('/')) return exact;
  const matching = questions.filter(({ id, name }) => id.startsWith(word) || name.startsWith(word));
  return matching.length === 1 ? matching[0] : undefined;
}

function nothingAsked(run: string): Fault {
  return new Fault('QUESTION_CLOSED', `Run ${run} asks nothing at the moment.`, { hint: `See: troupe show ${run}` });
}

function notOpen(run: string, name: string, questions: readonly QuestionView[]): Fault {
  return new Fault('QUESTION_CLOSED', `Run ${run} has no open question ${name}.`, {
    hint: `It was answered, or never asked. Open now:\n${commandLines(run, 'TEXT', questions)}`,
    facts: { open: questions.map((question) => question.name) },
  });
}

function ambiguous(run: string, text: string, questions: readonly QuestionView[]): Fault {
  return new Fault('QUESTION_AMBIGUOUS', `Run ${run} asks ${questions.length} things.`, {
    hint: `Say which of them you answer:\n${commandLines(run, text, questions)}`,
    facts: { open: questions.map((question) => question.name) },
  });
}

/** Each question with the command that answers it. */
const commandLines = (run: string, text: string, questions: readonly QuestionView[]): string =>
  questions
    .map(
      ({ name, text: asked }) => `  ${name}: ${oneLine(asked)}\n    troupe answer ${run} ${name} ${quotedWords(text)}`,
    )
    .join('\n');
