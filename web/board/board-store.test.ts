import { expect, test } from 'vitest';
import type { Column, RunCard, RunPage } from '../../src/protocol/web/run-card.ts';
import { BoardStore, COLUMNS } from './board.ts';
import { sampleCard } from './testing/sample-card.ts';

const page = (cards: readonly RunCard[]): RunPage => ({
  cards,
  counts: { running: 1, 'needs-you': 0, ready: 0, failed: 0, done: 0 },
  next: null,
});

const batch = (...cards: readonly RunCard[]) => ({ records: [], cards, texts: [], lost: [] });

const placesOf = (store: BoardStore, name: string): readonly Column[] =>
  COLUMNS.filter((column) => store.board().columns[column].cards.some(({ run }) => run === name));

test('[U2] a run that is over before the page that shows it at work has come stands where it belongs', async () => {
  const held = Promise.withResolvers<void>();
  const atWork = sampleCard({ run: 'a', seq: 10 });
  const store = new BoardStore({}, async ({ column }) => {
    await held.promise;
    return page(column === 'running' ? [atWork] : []);
  });
  const read = store.refresh();
  store.hear(batch({ ...atWork, column: 'done', status: 'settled', seq: 11 }));
  held.resolve();
  await read;
  expect(placesOf(store, 'a')).toEqual(['done']);
});

test('[U2] what was heard before a newer page was read does not take its place', async () => {
  const over = sampleCard({ run: 'a', seq: 11, column: 'done', status: 'settled' });
  const held = Promise.withResolvers<void>();
  const store = new BoardStore({}, async ({ column }) => {
    await held.promise;
    return page(column === 'done' ? [over] : []);
  });
  const read = store.refresh();
  store.hear(batch({ ...over, column: 'running', status: 'running', seq: 10 }));
  held.resolve();
  await read;
  expect(placesOf(store, 'a')).toEqual(['done']);
});

test('[U2] a run that moves while the columns are read stands in one of them, whichever page comes last', async () => {
  const atWork = sampleCard({ run: 'a', seq: 10 });
  const over = sampleCard({ run: 'a', seq: 11, column: 'done', status: 'settled' });
  for (const last of ['running', 'done'] as const) {
    const held = Promise.withResolvers<void>();
    const store = new BoardStore({}, async ({ column }) => {
      if (column === last) await held.promise;
      return page(column === 'running' ? [atWork] : column === 'done' ? [over] : []);
    });
    const read = store.refresh();
    held.resolve();
    await read;
    expect(placesOf(store, 'a')).toEqual(['done']);
  }
});
