import { expect, test } from 'vitest';
import { ConflictBench, TEST, type Plot } from './conflict-bench.ts';
import { makes, writes } from './implementer-mind.ts';

const MINE = 'export const double = (n) => n + n;\n';
const BOTH = '// Twice.\nexport const double = (n) => n + n;\n';

/** While it settles the collision it makes the test say nothing any more. */
const CHEATS: Plot = {
  made: MINE,
  meanwhile: ['double.mjs', 'export const double = (n) => 2 * n;\n'],
  settle: (request) => makes(request, writes('double.mjs', BOTH), writes('test.mjs', '// Nothing.\n')),
};

test('[PD7] [L4] an author that changes the tests while it settles a collision does not bring that home: a person is asked', async () => {
  const bench = new ConflictBench(CHEATS);
  const asked = await bench.start();
  expect(asked).toMatchObject({ status: 'waiting' });
  expect(asked.questions[0]?.text).toMatch(
    /^impl_1 was chosen, and changed what the command is made of while it settled a collision: test\.mjs\. /,
  );
  expect(bench.file('test.mjs')).toContain('assert.equal');
  expect(await bench.answer('stop')).toMatchObject({ outcome: 'blocked' });
  expect((await bench.facts()).at(-1)).toMatchObject({ outcome: 'blocked', failure: { code: 'TAMPERED' } });
  expect(bench.file('test.mjs')).toContain('assert.equal');
}, 60_000);

test('[PD7] [L4] the author hears of it in its session, puts the tests back, and what it settled is merged', async () => {
  const bench = new ConflictBench({
    ...CHEATS,
    settle: (request) => (request.visit === 1 ? CHEATS.settle(request) : makes(request, writes('test.mjs', TEST))),
  });
  await bench.start();
  expect(await bench.answer('Leave the tests alone.')).toMatchObject({ outcome: 'ok' });
  expect(bench.promptsOf()[2]).toMatch(
    /Leave the tests alone\.[^]*You changed what the command is made of .*test\.mjs\. Restore/,
  );
  expect(bench.file('test.mjs')).toBe(TEST);
  expect(bench.file('double.mjs')).toBe(BOTH);
}, 60_000);
