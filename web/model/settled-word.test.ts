import { expect, test } from 'vitest';
import { sampleCard } from '../board/testing/sample-card.ts';
import { newsText } from '../shell/news.ts';
import { runStatus } from '../run/run-words.ts';
import { cardWord, settledWord } from './settled-word.ts';
import { entered, ended, settled, smallTree, turn } from './testing/small-run.ts';

test('[U2] [L4] a run whose result was refused is not ok on the board and in messages', () => {
  const card = (openDelivery: 'refused' | 'conflict' | 'failed' | null) =>
    sampleCard({ status: 'settled', outcome: 'ok', driven: false, details: { openDelivery } });
  expect(cardWord(card(null))).toBe('ok');
  expect(cardWord(card('refused'))).toBe('not verified');
  expect(cardWord(card('conflict'))).toBe('in conflict');
  expect(cardWord(card('failed'))).toBe('not delivered');
  expect(newsText({ kind: 'over', card: card('refused') })).toBe('Fix the login is over: not verified.');
});

test('[U2] a delivery under way is no trouble while a process carries it out', () => {
  const word = (isDriven: boolean | null) => settledWord({ outcome: 'ok', delivery: 'under-way', isDriven });
  expect([word(true), word(null), word(false)]).toEqual(['ok', 'ok', 'not delivered']);
  expect(settledWord({ outcome: 'failed', delivery: 'refused', isDriven: false })).toBe('failed');
});

test('[U2] [L4] a run whose result was refused is not ok on its own page', () => {
  const over = [entered('code', 1), turn('t1', 'code'), ended('t1'), settled()];
  const handed = {
    kind: 'delivery.finished',
    workspace: 'main',
    tree: 't',
    how: 'not-verified',
    where: '/w',
    by: 'me',
  };
  const applied = { kind: 'project.changed', how: 'applied', before: 'a', after: 'b', kept: [], by: 'me' };
  expect(runStatus(smallTree(...over))).toBe('ok');
  expect(runStatus(smallTree(...over, handed))).toBe('not verified');
  expect(runStatus(smallTree(...over, { ...handed, how: 'conflict' }))).toBe('in conflict');
  expect(runStatus(smallTree(...over, handed, applied))).toBe('ok');
});
