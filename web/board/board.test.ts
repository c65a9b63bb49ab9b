import { expect, test } from 'vitest';
import type { Column, RunCard, RunPage } from '../../src/protocol/web/run-card.ts';
import { COLUMNS, EMPTY_BOARD, withCard, withPage, type Board } from './board.ts';
import { sampleCard } from './testing/sample-card.ts';

const card = (run: string, column: Column, startedAt: number): RunCard => sampleCard({ run, column, startedAt });

const page = (cards: readonly RunCard[], next: string | null = null): RunPage => ({
  cards,
  counts: { running: 1, 'needs-you': 0, ready: 0, failed: 0, done: 7 },
  next,
});

const runsOf = (board: Board, column: Column): readonly string[] => board.columns[column].cards.map(({ run }) => run);

const board = COLUMNS.reduce(
  (before, column) =>
    withPage(before, column, { page: page(column === 'running' ? [card('a', 'running', 5)] : []), isFirst: true }),
  EMPTY_BOARD,
);

test('[U2] a card that changes its column is in one column only, and the counts follow', () => {
  const after = withCard(board, card('a', 'needs-you', 5), {});
  expect(runsOf(after, 'running')).toEqual([]);
  expect(runsOf(after, 'needs-you')).toEqual(['a']);
  expect(after.counts).toEqual({ running: 0, 'needs-you': 1, ready: 0, failed: 0, done: 7 });
});

test('[U2] [R1] a card that was archived leaves the board, and the counts follow', () => {
  const after = withCard(board, { ...card('a', 'running', 5), isArchived: true }, {});
  expect(runsOf(after, 'running')).toEqual([]);
  expect(after.counts.running).toBe(0);
});

test('[U2] cards that move keep the order by their beginning, however often they change', () => {
  let after = withCard(board, card('b', 'running', 9), {});
  after = withCard(after, { ...card('a', 'running', 5), updatedAt: 99 }, {});
  expect(runsOf(after, 'running')).toEqual(['b', 'a']);
});

test('[U2] pages follow each other without doubles', () => {
  const first = withPage(EMPTY_BOARD, 'done', {
    page: page([card('d', 'done', 4), card('c', 'done', 3)], 'c'),
    isFirst: true,
  });
  const second = withPage(first, 'done', { page: page([card('c', 'done', 3), card('b', 'done', 2)]), isFirst: false });
  expect(runsOf(second, 'done')).toEqual(['d', 'c', 'b']);
  expect(second.columns.done.next).toBeNull();
  expect(runsOf(withPage(second, 'done', { page: page([card('e', 'done', 5)], 'e'), isFirst: true }), 'done')).toEqual([
    'e',
  ]);
});

test('[U2] what belongs to a page that was not read yet stays out until then', () => {
  const first = withPage(EMPTY_BOARD, 'done', { page: page([card('d', 'done', 4)], 'd'), isFirst: true });
  expect(runsOf(withCard(first, card('old', 'done', 1), {}), 'done')).toEqual(['d']);
  expect(runsOf(withCard(first, card('new', 'done', 9), {}), 'done')).toEqual(['new', 'd']);
});

test('[U2] what the search leaves out stays out', () => {
  expect(withCard(board, card('x', 'running', 9), { q: 'elsewhere' })).toBe(board);
  expect(runsOf(withCard(board, card('x', 'running', 9), { q: 'LOGIN fix', workflow: 'fix' }), 'running')).toEqual([
    'x',
    'a',
  ]);
});
