import { expect, test } from 'vitest';
import { decideReview } from '../../../src/formats/review/rules/decide.ts';
import { ledgerOf, reply, said } from '../../../src/formats/review/rules/testing/debates.ts';
import { knownAnswers } from './tree-questions.ts';

const asks = (text: string, choices: readonly string[] = []): Parameters<typeof knownAnswers>[0] => ({
  kind: 'ask',
  text,
  choices,
});

test('[U2] who is asked to pick an implementation is offered their names, as the engine asks', () => {
  const ledger = said(ledgerOf(), ['ann', reply('APPROVE')], ['bob', reply('APPROVE')]);
  const { question } = decideReview(ledger, { pick: 'person', evidence: {} });
  expect(knownAnswers(asks(question))).toEqual(['impl_1', 'impl_2']);
  expect(knownAnswers(asks(question, ['yes', 'no']))).toEqual([]);
  expect(knownAnswers({ ...asks(question), kind: 'limit' })).toEqual([]);
});

test('[U2] no other question has prepared answers', () => {
  expect(knownAnswers(asks('What is it called?'))).toEqual([]);
  expect(knownAnswers(asks('Which one is the best: the first, or another? Say why.'))).toEqual([]);
});
