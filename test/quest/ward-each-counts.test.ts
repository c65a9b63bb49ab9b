import { expect, test } from 'vitest';
import { QuestBench, writes } from './quest-bench.ts';

// The first file of a step makes one of the commands red; the other one would hide it, were they one text.
test.each([
  [['test ! -e work.txt', 'test -e readme.txt || echo none']],
  [['test ! -e work.txt', 'echo one; echo two']],
  [['true # all', 'test ! -e work.txt']],
  [["echo 'all", "test ! -e work.txt; echo 'none"]],
])('[L4] each of Ward’s commands counts, however it is written: %j', async (ward) => {
  const bench = new QuestBench(({ role, call }) =>
    role === 'codeweaver' && call === 1 ? writes('work.txt', 'x') : undefined,
  );
  expect(await bench.start({ ward })).toMatchObject({ outcome: 'failed', failure: { code: 'NOTHING_DONE' } });
});

test('[L4] commands with quotes are run as they are written', async () => {
  const bench = new QuestBench(({ role, call }) =>
    role === 'codeweaver' && call === 1 ? writes("it's.txt", 'x') : undefined,
  );
  const ward = ['test -e readme.txt', `test -e readme.txt -o "$(ls)" = "it's.txt"`, 'test \'a b\' = "a b"'];
  expect(await bench.start({ ward })).toMatchObject({ outcome: 'ok' });
});
