import type { FaultCode } from '../codes/codes.ts';
import { askedMark } from '../step/approval.ts';
import { mayAskInTurn, openPermissions, PERMISSION_CHOICES, permissionText } from '../step/turn/permit.ts';
import { describeLimit, LIMIT_CODES } from '../model/limits.ts';
import type { Approves, ChoiceDetail } from '../record/question-fact.ts';
import { limitQuestion, questionName } from '../record/question-name.ts';
import type { Snapshot } from '../fold/snapshot.ts';

/** What waits for a person in this run: questions of `ask` states, tools that need permission, and a limit that was reached. */
export interface OpenQuestion {
  readonly id: string;
  /** Short, for people: `q2`. */
  readonly name: string;
  readonly kind: 'ask' | 'limit' | 'permission';
  readonly text: string;
  readonly choices: readonly string[];
  readonly choiceDetails?: readonly ChoiceDetail[];
  /** It is an approval, also where it takes any text. */
  readonly approves?: Approves;
  readonly state: string;
  readonly at: number;
  /** The mark of the files that an approval is asked for; an answer is taken only for these. */
  readonly mark?: string;
  /** The files changed after it was asked, so an answer was not taken. */
  readonly isAgain?: true;
  /** On a limit: the code that names it. */
  readonly code?: FaultCode;
}

/** The same as `openQuestions(…).length > 0`, without their texts. */
export function hasOpenQuestions(snapshot: Snapshot): boolean {
  if (snapshot.status === 'settled') return false;
  if (snapshot.paused !== null && snapshot.paused.isOfParent !== true) return true;
  const mayAsk = Object.values(snapshot.tasks).some(({ work, turn }) => work.kind === 'ask' || mayAskInTurn(turn));
  return mayAsk && openQuestions(snapshot).length > 0;
}

export function openQuestions(snapshot: Snapshot): readonly OpenQuestion[] {
  if (snapshot.status === 'settled') return [];
  const questions: Omit<OpenQuestion, 'name'>[] = [];
  for (const task of Object.values(snapshot.tasks)) {
    if (task.work.kind !== 'ask') continue;
    const { question: text, ...asked } = task.work;
    questions.push({ ...asked, id: task.id, text, state: task.state, at: task.startedAt });
  }
  for (const asked of openPermissions(snapshot)) {
    const { id, state, at } = asked;
    questions.push({ id, kind: 'permission', text: permissionText(asked), choices: PERMISSION_CHOICES, state, at });
  }
  if (snapshot.paused !== null && snapshot.paused.isOfParent !== true) {
    questions.push({
      id: limitQuestion(snapshot.paused),
      kind: 'limit',
      text: `${describeLimit(snapshot.paused)} Go on?`,
      choices: ['continue', 'stop'],
      state: snapshot.paused.state,
      at: snapshot.paused.since,
      code: LIMIT_CODES[snapshot.paused.limit],
    });
  }
  return questions.map((question) => ({
    ...question,
    name: questionName(snapshot.asked, question.id),
    ...filesOf(snapshot, question.id),
  }));
}

function filesOf(snapshot: Snapshot, id: string): Pick<OpenQuestion, 'mark' | 'isAgain'> {
  const mark = askedMark(snapshot, id);
  if (mark === undefined) return {};
  return snapshot.askedFor[id]?.isAgain === true ? { mark, isAgain: true } : { mark };
}

/** Shown above a question that is asked again. */
export const FILES_CHANGED = 'The files changed since this was asked.';
