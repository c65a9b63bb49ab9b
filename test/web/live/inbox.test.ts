import { expect, test } from 'vitest';
import { runId } from '../../../src/core/model/ids.ts';
import { createMemoryJournal } from '../../../src/journal/memory/memory-journal.ts';
import type { Journal } from '../../../src/journal/port.ts';
import { asks, WrittenRun } from './written-run.ts';
import { CardDesk } from '../../../src/server/live/card-desk.ts';
import { inboxOf } from '../../../src/server/live/inbox-of.ts';
import { RunIndex } from '../../../src/server/live/run-index.ts';

async function asking(journal: Journal, name: string): Promise<void> {
  const run = await WrittenRun.begin(journal, name, { title: `Run ${name}` });
  await run.addWith({ status: 'waiting', outcome: null }, asks('t1', `Is this ${name}?`));
}

test('[WL16] an inbox that could not read a run in time says which one, and tells its question once it was read', async () => {
  const journal = createMemoryJournal();
  await asking(journal, 'quick');
  await asking(journal, 'slow');
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const read: Journal['read'] = async (run, ...rest) => {
    if (run === runId('slow')) await held;
    return await journal.read(run, ...rest);
  };
  const index = new RunIndex(journal);
  const board = { index, cards: new CardDesk({ read }, index) };
  // In any order: a held run does not delay those read before it.
  await index.survey();
  await board.cards.read([runId('quick')], 60_000);
  const first = await inboxOf(board, 0);
  expect(first.questions.map(({ run }) => run)).toEqual(['quick']);
  expect(first.unread).toEqual([{ run: 'slow', workflow: 'review', title: 'Run slow', damage: null }]);
  letGo();
  const second = await inboxOf(board);
  expect([second.questions.map(({ run }) => run).toSorted(), second.unread]).toEqual([['quick', 'slow'], []]);
});

test('[WL16] one that cannot be read is reported with the reason', async () => {
  const journal = createMemoryJournal();
  await asking(journal, 'broken');
  const index = new RunIndex(journal);
  const read: Journal['read'] = () => Promise.reject(new Error('Record 3 does not follow.'));
  expect(await inboxOf({ index, cards: new CardDesk({ read }, index) })).toEqual({
    questions: [],
    unread: [{ run: 'broken', workflow: 'review', title: 'Run broken', damage: 'Record 3 does not follow.' }],
  });
});
