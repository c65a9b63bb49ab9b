import { expect, test } from 'vitest';
import { says } from '../../src/host/testing/test-world.ts';
import { PatternBench } from './patterns-bench.ts';
import { fails, hangs, writes, writesThenSays } from './replies.ts';

const VERIFY = 'grep -q right answer.txt';

test('[PD8] the first whose files pass wins and is merged, the rest are stopped and what they cost is booked', async () => {
  const hung = Promise.withResolvers<null>();
  const bench = new PatternBench(async (asked) => {
    // The slow one is paid for a call before it hangs; the careless one never passes.
    if (asked.model === 'slow' && asked.call === 1) return writes('slow.txt', 'half\n');
    if (asked.model === 'slow') hung.resolve(null);
    if (asked.model === 'slow') return await hangs(asked);
    await hung.promise;
    return writesThenSays(asked, 'answer.txt', asked.model === 'good' ? 'right\n' : 'wrong\n');
  });
  const input = { task: 'Answer it', verify: VERIFY, models: ['slow', 'careless', 'good'] };
  const rest = await bench.start('race', input);
  expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'runner_3' } });
  expect(rest.output).toMatchObject({
    runners: [
      { id: 'runner_1', model: 'slow', outcome: 'cancelled' },
      { id: 'runner_2', model: 'careless' },
      { id: 'runner_3', model: 'good', outcome: 'ok' },
    ],
  });
  expect(bench.file('answer.txt')).toBe('right\n');
  expect(bench.file('slow.txt')).toBeNull();
  // Every answer is paid for, no matter who gave it.
  const children = await bench.bench.journal.runs({ parent: bench.run });
  const answered = (await Promise.all(children.map(({ run }) => bench.bench.facts(run))))
    .flat()
    .filter(({ kind }) => kind === 'call.answered');
  expect(answered.length).toBeGreaterThanOrEqual(3);
  expect(rest.usage.calls).toBe(answered.length);
  expect(children.map(({ status }) => status)).toEqual(['settled', 'settled', 'settled']);
});

test('[PD8] an agent that does not pass gets the reason, and may fix it in the same session', async () => {
  const bench = new PatternBench((asked) =>
    writesThenSays(asked, 'answer.txt', asked.turn < 2 ? 'wrong\n' : 'right\n'),
  );
  const rest = await bench.start('race', { task: 'Answer it', verify: VERIFY, models: ['only'] });
  expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'runner_1', runners: [{ outcome: 'ok' }] } });
  expect(bench.file('answer.txt')).toBe('right\n');
  expect(bench.modelsOf('coder')).toEqual(['only', 'only']);
  expect(bench.promptsTo('coder')[1]).toContain('The engine ran the command.');
});

test('[PD8] a race without a winner fails, with the reason of each', async () => {
  const bench = new PatternBench((asked) =>
    asked.model === 'broken' ? fails('no such key') : writesThenSays(asked, 'answer.txt', 'wrong\n'),
  );
  const rest = await bench.start('race', { task: 'Answer it', verify: VERIFY, models: ['broken', 'careless'] });
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'JOIN_FAILED' } });
  expect(rest.failure?.message).toContain('runner_1 failed');
  expect(rest.failure?.message).toContain('runner_2 failed');
  expect(bench.file('answer.txt')).toBeNull();
  expect(bench.modelsOf('coder').filter((model) => model === 'careless')).toHaveLength(3);
});

test.for([
  ['no runners', { verify: VERIFY, models: [] }, 'NO_CANDIDATES'],
  ['a race without a command', { models: ['a'] }, 'VERIFY_MISSING'],
] as const)('[PD8] %s: it is reported before the first paid call', async ([, input, code]) => {
  const bench = new PatternBench(() => says('done'));
  const rest = await bench.start('race', { task: 'Answer it', ...input });
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code } });
  expect(bench.asked).toEqual([]);
});

test('[PD8] what is no name of a model loses its runner, and the others run', async () => {
  const bench = new PatternBench((asked) => writesThenSays(asked, 'answer.txt', 'right\n'));
  const rest = await bench.start('race', { task: 'Answer it', verify: VERIFY, models: [{ name: 'a' }, 'b'] });
  expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'runner_2', runners: [{ outcome: 'failed' }, {}] } });
});
