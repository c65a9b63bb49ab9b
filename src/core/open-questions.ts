import { openPermissions, PERMISSION_CHOICES, permissionText } from './permit.ts';
import { describeLimit, LIMIT_CODES } from './limits.ts';
import { limitQuestion, questionName } from './question-name.ts';
import type { Snapshot } from './snapshot.ts';

/** What waits for a person in this run: questions of `ask` states, tools that need a word, and a limit that was reached. */
export interface OpenQuestion {
  readonly id: string;
  /** Short, for people: `q2`. */
  readonly name: string;
  readonly kind: 'ask' | 'limit' | 'permission';
  readonly text: string;
  readonly choices: readonly string[];
  readonly state: string;
  readonly at: number;
  /** On a limit: the code that names it. */
  readonly code?: string;
}

export function openQuestions(snapshot: Snapshot): readonly OpenQuestion[] {
  if (snapshot.status === 'settled') return [];
  const questions: Omit<OpenQuestion, 'name'>[] = [];
  for (const task of Object.values(snapshot.tasks)) {
    if (task.work.kind !== 'ask') continue;
    const { question, choices } = task.work;
    questions.push({ id: task.id, kind: 'ask', text: question, choices, state: task.state, at: task.startedAt });
  }
  for (const asked of openPermissions(snapshot)) {
    const { id, state, at } = asked;
    questions.push({ id, kind: 'permission', text: permissionText(asked), choices: PERMISSION_CHOICES, state, at });
  }
  if (snapshot.paused !== null) {
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
  return questions.map((question) => ({ ...question, name: questionName(snapshot.asked, question.id) }));
}
