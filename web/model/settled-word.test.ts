import { expect, test } from 'vitest';
import { sampleCard } from '../board/testing/sample-card.ts';
import { resultAs, type ResultKind } from '../../src/core/look/result-state.ts';
import { newsText } from '../shell/news.ts';
import { runStatusText } from '../run/run-words.ts';
import { cardMark, cardWord, settledMark } from './run-result.ts';
import { entered, smallTree, turn } from './testing/small-run.ts';
import { ended, settled } from '../../src/protocol/workflow-state/testing/test-records.ts';

test('[U2] [L4] a run whose result was refused is not ok on the board and in messages', () => {
  const card = (kind: ResultKind | null) =>
    sampleCard({
      status: 'settled',
      outcome: 'ok',
      driven: false,
      ...(kind === null ? {} : { result: resultAs(kind) }),
    });
  const words = (kind: ResultKind | null) => [cardMark(card(kind)), cardWord(card(kind))];
  expect(words(null)).toEqual(['ok', 'ok']);
  expect(words('not-verified')).toEqual(['not verified', 'ok · not verified']);
  expect(words('conflict')).toEqual(['in conflict', 'ok · in conflict']);
  expect(words('undelivered')).toEqual(['not delivered', 'ok · not delivered']);
  expect(settledMark({ outcome: 'ok', result: resultAs('branch', { isUnverified: true }), isDriven: false })).toBe(
    'not verified',
  );
  expect(words('applied')).toEqual(['ok', 'ok · applied']);
  expect(newsText({ kind: 'over', card: card('not-verified') })).toBe('Fix the login is over: ok · not verified.');
});

test('[U2] a delivery under way is no trouble while a process carries it out', () => {
  const word = (isDriven: boolean | null) => settledMark({ outcome: 'ok', result: resultAs('undelivered'), isDriven });
  expect([word(true), word(null), word(false)]).toEqual(['ok', 'ok', 'not delivered']);
  expect(settledMark({ outcome: 'failed', result: resultAs('not-verified'), isDriven: false })).toBe('failed');
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
  expect(runStatusText(smallTree(...over))).toBe('ok');
  expect(runStatusText(smallTree(...over, handed))).toBe('not verified');
  expect(runStatusText(smallTree(...over, { ...handed, how: 'conflict' }))).toBe('in conflict');
  expect(runStatusText(smallTree(...over, handed, applied))).toBe('ok');
});
