import { readAnswer, type AnswerableQuestion } from '../../core/check/check-answer.ts';
import { Fault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import { openChildren } from '../../core/fold/open-children.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { openQuestions } from '../../core/look/open-questions.ts';
import type { Question } from '../port.ts';

type FindRun = (run: RunId) => Promise<Snapshot | undefined>;

/** The questions of the run and of every open child run; a child's are named with the path to it. */
export async function questionsOf(snapshot: Snapshot, find: FindRun, way = ''): Promise<readonly Question[]> {
  const own = openQuestions(snapshot).map((question): Question => ({
    ...question,
    id: `${way}${question.id}`,
    name: `${way}${question.name}`,
    run: snapshot.run,
  }));
  const below = await Promise.all(
    openChildren(snapshot).map(async ({ id, run }) => {
      const child = await find(run);
      return child === undefined ? [] : questionsOf(child, find, `${way}${id}/`);
    }),
  );
  return [...own, ...below.flat()];
}

/** The question that was named, or the only one. */
export function chooseQuestion(run: RunId, questions: readonly Question[], named: string | undefined): Question {
  if (named === undefined && questions.length > 1) {
    const list = questions.map((question) => `${question.name} (${question.text})`).join(', ');
    throw new Fault('QUESTION_AMBIGUOUS', `Run ${run} has ${questions.length} open questions: ${list}.`, {
      hint: 'Name the one that is answered.',
    });
  }
  const found = named === undefined ? questions[0] : questions.find(({ id, name }) => id === named || name === named);
  if (found === undefined) throw questionClosed(run, named);
  return found;
}

/** The question's name within the run that asks. Runs above prefix it with the path to that run. */
export function ownName(run: RunId, question: Question): string {
  return question.run === run ? question.id : question.id.slice(question.run.length - run.length);
}

export function questionClosed(run: RunId, question: string | undefined): Fault {
  const which = question === undefined ? '' : ` ${question}`;
  return new Fault('QUESTION_CLOSED', `Run ${run} has no open question${which}.`, {
    hint: 'It was answered already, or the run continued without it. `troupe show` lists what is open.',
  });
}

/** The answer was given for files that have changed ([V3]). */
export function answerVoid(run: RunId, { name }: Pick<Question, 'name'>): Fault {
  return new Fault(
    'ANSWER_VOID',
    `The files changed since question ${name} of run ${run} was asked, so this answer was not taken.`,
    {
      hint: `Look at the files as they are now (troupe diff ${run}), then answer again.`,
    },
  );
}

/** Rejects an invalid answer before it is sent, so that the person can give another one. */
export function checkedAnswer(
  question: AnswerableQuestion & Pick<Question, 'text'>,
  answer: Json,
  allowed: number | undefined,
): Json {
  const read = readAnswer(question, answer, allowed);
  if (read.ok) return read.answer;
  throw new Fault('ANSWER_INVALID', `That is not an answer to "${question.text}": ${read.message}`, {
    hint: question.choices.length === 0 ? 'Answer again.' : `Answer with one of: ${question.choices.join(', ')}.`,
  });
}
