import { expect, test } from 'vitest';
import { hasOpenQuestions, openQuestions } from './open-questions.ts';
import { literal } from '../testing/expressions.ts';
import { ask, command, definitionOf, end, fixed, pool, to, work } from '../testing/definitions.ts';
import { TestedRun } from '../testing/tested-run.ts';

const question = { kind: 'ask', question: literal('Sure?'), choices: ['yes', 'no'] } as const;

test('[Q3] every open question of the run is listed with the id that answers it', () => {
  const run = new TestedRun(
    definitionOf([work('start', pool(fixed({ a: [], b: [] }, question)), { transitions: [to('stop')] }), end()]),
  );
  const sure = { kind: 'ask', text: 'Sure?', choices: ['yes', 'no'], state: 'start', at: 1000 };
  expect(openQuestions(run.snapshot)).toEqual([
    { id: 't2', name: 'q1', ...sure },
    { id: 't3', name: 'q2', ...sure },
  ]);
  run.send({ kind: 'question.answered', question: 't2', answer: 'yes', by: 'someone' });
  expect(openQuestions(run.snapshot)).toEqual([{ id: 't3', name: 'q2', ...sure }]);
  expect(hasOpenQuestions(run.snapshot)).toBe(true);
});

test('[L10] a limit that was reached is a question with its code', () => {
  const run = new TestedRun(
    definitionOf([work('start', ask('coder'), { transitions: [to('start')] })], { limits: { tokens: 5 } }),
  );
  run.says('t1', 'one');
  expect(openQuestions(run.snapshot)).toMatchObject([
    { id: 'limit/tokens/7', kind: 'limit', choices: ['continue', 'stop'], state: 'start', code: 'MAX_TOKENS' },
  ]);
  expect(hasOpenQuestions(run.snapshot)).toBe(true);
});

test('[L2] a run that works or has settled has no open question', () => {
  const run = new TestedRun(definitionOf([work('start', command(), { transitions: [to('stop')] }), end()]));
  expect(openQuestions(run.snapshot)).toEqual([]);
  expect(hasOpenQuestions(run.snapshot)).toBe(false);
  run.done('t1');
  expect(openQuestions(run.snapshot)).toEqual([]);
  expect(hasOpenQuestions(run.snapshot)).toBe(false);
});
