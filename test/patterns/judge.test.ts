import { expect, test } from 'vitest';
import type { CallReply } from '../../src/actors/port.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { PatternBench, type Asked } from './patterns-bench.ts';
import { fails, picks, writesThenSays } from './replies.ts';

/** Candidates write their own name; the judge looks for a planted fault in the diffs it gets. */
const soberly = (asked: Asked): CallReply => {
  if (asked.role === 'coder') return writesThenSays(asked, 'made.txt', `${asked.model}\n`);
  const parts = asked.prompt.split('## ').slice(1);
  const good = parts.find((part) => !part.includes('+faulty'));
  return good === undefined ? picks('none', 'All are faulty.') : picks(good.split('\n')[0] ?? '', 'No fault in it.');
};

const judged = async (models: readonly string[], input = {}, plot: (asked: Asked) => CallReply = soberly) => {
  const bench = new PatternBench(plot);
  const rest = await bench.start('judge', { task: 'Make it', models: [...models], ...input });
  return { bench, rest };
};

test('[PD8] the judge gets the real diffs without names, its pick is merged, its reason is kept', async () => {
  const { bench, rest } = await judged(['faulty', 'sound'], { judge: 'wise' });
  expect(rest).toMatchObject({
    outcome: 'ok',
    output: {
      winner: 'candidate_2',
      reason: 'No fault in it.',
      candidates: [
        { id: 'candidate_1', model: 'faulty', outcome: 'ok' },
        { id: 'candidate_2', model: 'sound', outcome: 'ok' },
      ],
    },
  });
  expect(bench.file('made.txt')).toBe('sound\n');
  expect(bench.modelsOf('judge')).toEqual(['wise']);
  const [prompt = ''] = bench.promptsTo('judge');
  expect(prompt).toContain('+++ b/made.txt');
  // Who is behind a candidate shows nowhere but in its own work.
  expect(prompt.replaceAll('+faulty', '').replaceAll('+sound', '')).not.toMatch(/faulty|sound/);
});

test('[PD8] without the fault the other one is picked: the verdict depends on the diff', async () => {
  const { bench, rest } = await judged(['plain', 'sound']);
  expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'candidate_1' } });
  expect(bench.file('made.txt')).toBe('plain\n');
});

test('[PD8] only those that pass the command are judged, one alone too', async () => {
  const { bench, rest } = await judged(['wrong', 'right'], { verify: 'grep -q right made.txt' });
  expect(rest).toMatchObject({
    outcome: 'ok',
    output: { winner: 'candidate_2', candidates: [{ outcome: 'failed' }, { outcome: 'ok' }] },
  });
  expect(bench.promptsTo('judge')[0]).not.toContain('candidate_1');
  expect(bench.file('made.txt')).toBe('right\n');
});

test('[PD8] one candidate is judged, and may be refused', async () => {
  expect((await judged(['sound'])).rest).toMatchObject({ outcome: 'ok', output: { winner: 'candidate_1' } });
  const { bench, rest } = await judged(['faulty']);
  expect(rest).toMatchObject({
    outcome: 'failed',
    failure: { code: 'NO_WINNER', message: 'The judge picked no candidate. All are faulty.' },
    output: { candidates: [{ id: 'candidate_1', outcome: 'ok' }] },
  });
  expect(bench.file('made.txt')).toBeNull();
});

test.for([
  ['names somebody who is not there', () => picks('candidate_9', 'The best.'), 'NO_WINNER'],
  ['talks and picks no one', () => says('They are all good.'), 'REPLY_OWED'],
] as const)(
  '[PD8] [A4] a judge that %s is asked once more in the same turn, then there is no winner',
  async ([, reply, code]) => {
    const { bench, rest } = await judged(['a', 'b'], {}, (asked) =>
      asked.role === 'judge' ? reply() : soberly(asked),
    );
    expect(rest).toMatchObject({ outcome: 'failed', failure: { code } });
    expect(bench.promptsTo('judge')).toHaveLength(1);
    expect(bench.asked.filter(({ role }) => role === 'judge')).toHaveLength(2);
    expect(bench.file('made.txt')).toBeNull();
  },
);

test('[PD8] a judge that names no candidate at first may correct it', async () => {
  const { rest } = await judged(['a', 'b'], {}, (asked) =>
    asked.role === 'judge' ? picks(asked.call === 1 ? 'the second' : 'candidate_2') : soberly(asked),
  );
  expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'candidate_2' } });
});

test('[PD8] where all candidates fail there is nothing to judge', async () => {
  const { bench, rest } = await judged(['a', 'b'], {}, () => fails('no such key'));
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'JOIN_FAILED' } });
  expect(bench.promptsTo('judge')).toEqual([]);
});

test('[PD8] no candidates: it is reported before the first paid call', async () => {
  const { bench, rest } = await judged([]);
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'NO_CANDIDATES' } });
  expect(bench.asked).toEqual([]);
});
