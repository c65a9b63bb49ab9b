import { expect, test } from 'vitest';
import type { Fact } from '../../../src/core/record/fact.ts';
import { sampleQuestion } from '../../board/testing/sample-card.ts';
import { answerIn } from './tree-questions.ts';

const lines = (...facts: readonly Fact[]) =>
  facts.map((fact, index) => ({ run: 'r', record: { seq: index + 1, at: 0, fact, commit: index + 1 } }));

const answered = (question: string, answer: string): Fact => ({
  kind: 'question.answered',
  question,
  answer,
  by: 'ann',
});

test('[U2] the answer shows who was first', () => {
  const question = sampleQuestion('q1', { id: 'task-4' });
  expect(answerIn(lines(answered('task-2', 'red'), answered('task-4', 'blue')), question)).toBe(
    'ann answered first: blue',
  );
  expect(answerIn(lines(answered('task-2', 'red')), question)).toBeNull();
});

test('[U2] a question of a run below is looked for by the name it has there', () => {
  const question = sampleQuestion('t3/q1', { id: 't3/task-4', run: 'r/t3' });
  expect(answerIn(lines(answered('task-4', 'yes')), question)).toBe('ann answered first: yes');
});
