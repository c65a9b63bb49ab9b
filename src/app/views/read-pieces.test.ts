import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import type { StoredRecord } from '../../journal/port.ts';
import { readPieces, type PiecesOf } from './read-pieces.ts';

const RUN = runId('a');

/** A journal of one run, and how much of it was read each time. */
async function piecesOf(texts: readonly string[], from: Omit<PiecesOf, 'run'>) {
  const all = texts.map((content, index): StoredRecord => ({
    seq: index + 1,
    at: 1,
    commit: index + 1,
    fact: { kind: 'message.added', context: 'main', message: { author: 'coder', role: 'assistant', content } },
  }));
  const read = async (_run: string, after = 0, limit = Infinity) => all.slice(after, after + limit);
  const pieces: (readonly StoredRecord[])[] = [];
  for await (const piece of readPieces({ read }, { run: RUN, ...from })) pieces.push(piece);
  return { sizes: pieces.map((piece) => piece.length), seqs: pieces.flat().map(({ seq }) => seq) };
}

const counted = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('[U2] [WL1] every record comes once and in order, in pieces that grow', async () => {
  const texts = Array.from({ length: 700 }, () => 'small');
  expect(await piecesOf(texts, { after: 0 })).toEqual({
    sizes: [4, 8, 16, 32, 64, 128, 256, 192],
    seqs: counted(1, 700),
  });
  expect((await piecesOf(texts, { after: 690 })).seqs).toEqual(counted(691, 700));
  expect((await piecesOf(texts, { after: 10, limit: 5 })).seqs).toEqual(counted(11, 15));
  expect((await piecesOf(texts, { after: 700 })).sizes).toEqual([]);
  expect((await piecesOf(texts.slice(0, 12), { after: 0 })).sizes).toEqual([4, 8]);
});

test('[U2] [WL1] huge messages are read one at a time', async () => {
  const huge = 'x'.repeat(1024 * 1024 + 1);
  const { sizes, seqs } = await piecesOf(
    [...Array.from({ length: 12 }, () => 'small'), ...Array.from({ length: 8 }, () => huge)],
    {
      after: 0,
    },
  );
  expect(sizes).toEqual([4, 8, 8]);
  expect(seqs).toEqual(counted(1, 20));
  expect(
    (
      await piecesOf(
        Array.from({ length: 6 }, () => huge),
        { after: 0 },
      )
    ).sizes,
  ).toEqual([4, 1, 1]);
});
