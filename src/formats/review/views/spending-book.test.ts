import { expect, test } from 'vitest';
import { foldRecords } from '../../../core/fold/fold.ts';
import { SpendingBook } from './spending-book.ts';
import { answered, ReviewTale } from './testing/review-tale.ts';

const tale = (): ReviewTale => new ReviewTale(['rev_1', 'rev_2'], ['impl_1', 'impl_2']);

test('[PD4] the cost of a debate is separate from the first reviews and the implementations', () => {
  const story = tale()
    .turn('impl_1', 'implement', { ms: 4000, costUsd: 1 })
    .turn('impl_2', 'implement', { ms: 2000, costUsd: 1 })
    .turn('rev_1', 'review')
    .turn('rev_2', 'review')
    .turn('rev_1', 'debate', { ms: 3000, costUsd: 0.5 })
    .turn('synthesiser', 'synthesise')
    .turn('impl_1', 'revise')
    .turn('impl_1', 'settle');
  const book = new SpendingBook(story.records);
  const { parts, total } = book.spending;
  expect(Object.entries(parts).map(([part, { turns, costUsd, ms }]) => [part, turns, costUsd, ms])).toEqual([
    ['implementations', 2, 2, 6000],
    ['reviews', 2, 0.5, 2000],
    ['debate', 1, 0.5, 3000],
    ['synthesis', 1, 0.25, 1000],
    ['revisions', 1, 0.25, 1000],
    ['merge', 1, 0.25, 1000],
    ['other', 0, 0, 0],
  ]);
  expect(total).toMatchObject({ turns: 8, costUsd: 3.75 });
  expect(book.ofAgent('impl_1')).toMatchObject({ turns: 3, costUsd: 1.5, ms: 6000 });
  expect(book.agent('impl_1')?.models).toEqual(['model of impl_1']);
});

test('turns at the same time take their time once, and one that goes on counts until now', () => {
  const story = tale();
  const [one, other] = [story.start('impl_1', 'implement'), story.start('impl_2', 'implement')];
  story
    .add(answered(one, 'impl_1', 0.25), 2000)
    .end(one)
    .add({ kind: 'run.resumed', epoch: 2 }, 1000);
  const { implementations } = new SpendingBook(story.records).spending.parts;
  expect(implementations).toMatchObject({ turns: 2, ms: 3000, workMs: 5000 });
  expect(new SpendingBook(story.records).agent('impl_2')?.outcome).toBeNull();
  story.add(answered(other, 'impl_2', null)).end(other, 'failed');
  const book = new SpendingBook(story.records);
  expect(book.spending.parts.implementations).toMatchObject({ costUsd: null, knownCostUsd: 0.25 });
  expect(book.agent('impl_2')?.outcome).toBe('failed');
});

test('costs outside of turns count too: together they are the cost of the run', () => {
  const usage = { inputTokens: 7, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 };
  const story = tale().turn('impl_1', 'implement').add({ kind: 'usage.noted', usage, costUsd: 0.5 });
  const { parts, total } = new SpendingBook(story.records).spending;
  expect(parts.other).toMatchObject({ turns: 0, costUsd: 0.5 });
  const { usage: spent, costUsd } = foldRecords(story.records);
  expect(total).toMatchObject({ usage: spent, costUsd });
});

test('a fork counts what it spent itself, and says who paid for the rest', () => {
  const story = tale()
    .turn('impl_1', 'implement')
    .add({ kind: 'run.forked', run: 'r2', from: { run: 'r1', seq: 4 }, input: {} });
  story.turn('rev_1', 'review');
  const { parts, total, paidBefore } = new SpendingBook(story.records).spending;
  expect(parts.implementations.turns).toBe(0);
  expect(total).toMatchObject({ turns: 1, costUsd: 0.25 });
  expect(paidBefore).toBe('r1');
});

test('a turn that was under way when the run was put back took until then, and what it cost is counted', () => {
  const story = tale();
  const task = story.start('impl_1', 'implement');
  story
    .add(answered(task, 'impl_1', 0.25), 1000)
    .add(
      { kind: 'run.rewound', to: 2, by: 'user', state: { current: { state: 'implement' }, visits: {}, tasks: {} } },
      500,
    );
  story.turn('impl_1', 'implement', { ms: 2000 });
  const { implementations } = new SpendingBook(story.records).spending.parts;
  expect(implementations).toMatchObject({ turns: 2, costUsd: 0.5, ms: 3500 });
});
