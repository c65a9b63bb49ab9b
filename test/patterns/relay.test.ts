import { expect, test } from 'vitest';
import type { CallReply } from '../../src/actors/port.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { PatternBench, type Asked } from './patterns-bench.ts';
import { fails, handsOver, writes } from './replies.ts';

/** Each adds its name to what it was shown of the file; the one called `content` finds nothing to do. */
const adds = (asked: Asked): CallReply => {
  if (asked.model === 'content') return handsOver(true, 'nothing to do');
  const so = [...asked.prompt.matchAll(/^\+(\w+)$/gm)].map(([, line]) => line);
  return asked.call === 1
    ? writes('list.txt', `${[...so, asked.model].join('\n')}\n`)
    : handsOver(false, `${asked.model} added itself`);
};

const relay = async (models: readonly string[], input = {}, plot: (asked: Asked) => CallReply = adds) => {
  const bench = new PatternBench(plot);
  const rest = await bench.start('relay', { task: 'Make a list', models: [...models], ...input });
  return { bench, rest };
};

test('[PD8] each goes on from the files of the last, until one says that nothing is left', async () => {
  const { bench, rest } = await relay(['a', 'b', 'content', 'd']);
  expect(rest).toMatchObject({
    outcome: 'ok',
    output: {
      isDone: true,
      legs: [
        { model: 'a', outcome: 'ok', isDone: false, summary: 'a added itself' },
        { model: 'b', outcome: 'ok' },
        { model: 'content', isDone: true, summary: 'nothing to do' },
      ],
    },
  });
  expect(bench.file('list.txt')).toBe('a\nb\n');
  expect(bench.modelsOf('improver')).toEqual(['a', 'b', 'content']);
  expect(bench.promptsTo('improver')[0]).toContain('Nothing was changed.');
  expect(bench.promptsTo('improver')[1]).toContain('+a');
});

test('[PD8] it ends after so many legs, models taking turns again where there are more legs than models', async () => {
  const { bench, rest } = await relay(['a', 'b'], { legs: 3 });
  expect(rest).toMatchObject({ outcome: 'ok', output: { isDone: false, legs: [{}, {}, {}] } });
  expect(bench.modelsOf('improver')).toEqual(['a', 'b', 'a']);
  expect(bench.file('list.txt')).toBe('a\nb\na\n');
});

test('[PD8] one model alone runs once', async () => {
  expect((await relay(['a'])).rest).toMatchObject({ outcome: 'ok', output: { isDone: false, legs: [{ model: 'a' }] } });
});

test('[PD8] a leg that fails, or whose files do not pass, is left out, and the next goes on from the last good one', async () => {
  const { bench, rest } = await relay(['a', 'broken', 'bad', 'd'], { verify: '! grep -q bad list.txt' }, (asked) =>
    asked.model === 'broken' ? fails('no such key') : adds(asked),
  );
  expect(rest).toMatchObject({
    outcome: 'ok',
    output: {
      legs: [
        { outcome: 'ok' },
        { outcome: 'failed', summary: expect.stringContaining('no such key') },
        { outcome: 'failed', summary: expect.stringContaining('do not pass') },
        { outcome: 'ok' },
      ],
    },
  });
  expect(bench.file('list.txt')).toBe('a\nd\n');
  // It heard why, and had a second go.
  expect(bench.modelsOf('improver')).toEqual(['a', 'broken', 'bad', 'bad', 'd']);
});

test('[PD8] an agent that fixes its work stays in', async () => {
  const { bench, rest } = await relay(['a'], { verify: 'grep -q mended list.txt' }, (asked) =>
    asked.call === 1 ? writes('list.txt', asked.turn === 1 ? 'raw\n' : 'mended\n') : handsOver(false, 'did it'),
  );
  expect(rest).toMatchObject({ outcome: 'ok', output: { legs: [{ outcome: 'ok', summary: 'did it' }] } });
  expect(bench.file('list.txt')).toBe('mended\n');
});

test('[A4] text instead of a hand-over is asked for once more, and then no leg', async () => {
  const { rest } = await relay(['a', 'b'], {}, (asked) =>
    asked.call === 1 ? writes('prose.txt', asked.model) : says('All is well.'),
  );
  expect(rest).toMatchObject({
    outcome: 'failed',
    output: { legs: [{ outcome: 'failed' }, { outcome: 'failed' }] },
  });
});

test('[PD8] where all legs fail the run does', async () => {
  const { rest } = await relay(['a', 'b'], {}, () => fails('no such key'));
  expect(rest).toMatchObject({
    outcome: 'failed',
    failure: { message: expect.stringContaining('no such key') },
    output: { legs: [{ outcome: 'failed' }, { outcome: 'failed' }] },
  });
});

test('[PD8] no runners: it is reported before the first paid call', async () => {
  const { bench, rest } = await relay([]);
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'NO_CANDIDATES' } });
  expect(bench.asked).toEqual([]);
});
