import { expect, test } from 'vitest';
import { emptyList, listOf } from '../model/append-list.ts';
import { foldRecords } from '../fold/fold.ts';
import { openQuestions } from '../look/open-questions.ts';
import { isQuestionName, questionName } from './question-name.ts';
import { agent, ask, definitionOf, end, to, work } from '../testing/definitions.ts';
import { call, TestedRun } from '../testing/tested-run.ts';

const names = (run: TestedRun): readonly string[] => openQuestions(run.snapshot).map(({ name }) => name);

/** An agent that asks before every page, in a loop with little money. */
function asking(): TestedRun {
  return new TestedRun(
    definitionOf([work('start', ask('coder'), { transitions: [to('start')] }), end()], {
      ask: ['web_fetch'],
      agents: [agent('coder')],
      limits: { tokens: 35 },
    }),
  );
}

test('[PE5] questions of every kind are numbered in the order they were asked, and keep their number', () => {
  const run = asking();
  run.says('t1', '', { toolCalls: [call('c1', 'web_fetch'), call('c2', 'web_fetch')] });
  expect(names(run)).toEqual(['q1', 'q2']);
  run.answers('permit/t1/c1', 'no');
  expect(names(run)).toEqual(['q2']);
  run.answers('permit/t1/c2', 'no');
  run.says('t1', 'one', { call: 2 });
  run.says('t2', 'two');
  run.says('t3', 'three');
  expect(openQuestions(run.snapshot)).toMatchObject([{ kind: 'limit', name: 'q3' }]);
  expect(openQuestions(foldRecords(run.records)).map(({ name }) => name)).toEqual(['q3']);
});

test('[PE5] a model that names two calls alike asks two questions; the open one is the newer', () => {
  const asked = listOf(['permit/t1/call', 't4', 'permit/t1/call']);
  expect(questionName(asked, 'permit/t1/call')).toBe('q3');
  expect(questionName(emptyList(), 't1')).toBe('t1');
});

test.each([
  ['q1', true],
  ['t1-1.0/q12', true],
  ['q0', false],
  ['q', false],
  ['yes', false],
  ['q1x', false],
])('[Q3] %s is the name of a question: %s', (word, is) => {
  expect(isQuestionName(word)).toBe(is);
});
