import { expect, test } from 'vitest';
import type { QuestionView } from '../../protocol/question-view.ts';
import { chosenQuestion } from './answer-run.ts';

const question = (id: string, name: string): QuestionView => ({
  id,
  name,
  run: 'r1',
  kind: 'permission',
  text: `May ${name} happen?`,
  choices: ['yes', 'no'],
  state: 'start',
  at: 1,
});

const first = question('permit/t1/call_a1', 'q1');
const second = question('permit/t1/call_b2', 'q10');
const below = question('t3/permit/t1/call_a1', 't3/q1');
const all = { run: 'r1', questions: [first, second, below] };

test.each([
  ['its short name', 'q1', 'q1'],
  ['its id', 'permit/t1/call_b2', 'q10'],
  ['a beginning of its id that only one has', 'permit/t1/call_b', 'q10'],
  ['the way to the run that asks', 't3/q1', 't3/q1'],
  ['a beginning of that way', 't3/', 't3/q1'],
])('[Q3] a question is named by %s', (_how, word, name) => {
  expect(chosenQuestion([word, 'yes', 'please'], all)).toMatchObject({ question: { name }, text: 'yes please' });
});

test('[Q3] the only question needs no name, and what looks like the beginning of one is part of the answer', () => {
  const one = { run: 'r1', questions: [question('t3', 'q2')] };
  expect(chosenQuestion(['t', 'shirt'], one).text).toBe('t shirt');
  expect(chosenQuestion(['q2'], one).text).toBe('q2');
  expect(chosenQuestion(['q2', 'red'], one).text).toBe('red');
});

test('[Q3] a name whose question is closed is never taken for another one or for an answer', () => {
  const later = { run: 'r1', questions: [second] };
  for (const name of ['q1', 't3/q1']) {
    expect(() => chosenQuestion([name, 'yes'], later)).toThrow(
      expect.objectContaining({ code: 'QUESTION_CLOSED', hint: expect.stringContaining('troupe answer r1 q10 TEXT') }),
    );
  }
});

test('[Q3] an answer that may be for several lists them all with the exact commands', () => {
  expect(() => chosenQuestion(['yes'], all)).toThrow(
    expect.objectContaining({
      code: 'QUESTION_AMBIGUOUS',
      message: 'Run r1 asks 3 things.',
      hint: expect.stringMatching(
        /q1: May q1 happen\?\n {4}troupe answer r1 q1 yes\n {2}q10: .*\n {4}troupe answer r1 q10 yes\n/,
      ),
    }),
  );
  expect(() => chosenQuestion(["it's $HOME"], all)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining(String.raw`q1 'it'\''s $HOME'`) }),
  );
  expect(() => chosenQuestion(['permit/t1/call', 'yes'], all)).toThrow(
    expect.objectContaining({ code: 'QUESTION_AMBIGUOUS' }),
  );
});

test('[Q3] where nothing is asked, that is said', () => {
  expect(() => chosenQuestion(['yes'], { run: 'r1', questions: [] })).toThrow(
    expect.objectContaining({ code: 'QUESTION_CLOSED' }),
  );
});
