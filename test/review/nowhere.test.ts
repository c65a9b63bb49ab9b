import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Part } from './cast.ts';
import { CAREFUL, makes, writes } from './implementer-mind.ts';
import { yesMan } from './manners.ts';
import { ReviewBench } from './review-bench.ts';
import { definitionOf, reviewFile, TASK } from './review-file.ts';

test('[PD2] [RV20] a tool that is missing behind another program is reported by the same rule before the work and after it', async () => {
  const script = 'echo "make: *** [Makefile:2: test] Error 127"; exit 2\n';
  const bench = new ReviewBench({ rev_1: yesMan, rev_2: yesMan }, { 'check.sh': script });
  const asked = await bench.start(reviewFile({ verify: 'sh check.sh' }));
  expect(asked.questions[0]?.text).toContain('cannot be run: `sh check.sh` ended with exit code 2');
  await bench.host.answer(bench.run, { answer: 'keep', by: 'ann' });
  const again = await bench.host.rest(bench.run);
  expect(again.questions[0]?.text).toContain('could not be run on any of the 3 implementations');
  expect(bench.calls.some(({ agent }) => agent.startsWith('rev'))).toBe(false);
  // After a stop here the message says how to go on with the paid work.
  await bench.host.answer(bench.run, { answer: 'stop', by: 'ann' });
  expect(await bench.host.rest(bench.run)).toMatchObject({
    outcome: 'failed',
    failure: { code: 'VERIFY_UNUSABLE', hint: expect.stringContaining('troupe rollback RUN --to ask_verify') },
  });
  const to = (await bench.facts()).findLastIndex(
    (fact) => fact.kind === 'state.entered' && fact.state === 'ask_verify',
  );
  await bench.host.rewind(bench.run, { to: to + 1, files: true, conversation: true, by: 'ann' });
  await bench.host.resume(bench.run);
  await bench.host.rest(bench.run);
  await bench.host.answer(bench.run, { answer: 'test -f src/bech32.ts', by: 'ann' });
  expect(await bench.host.rest(bench.run)).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1' } });
  expect(bench.promptsOf('impl_1')).toHaveLength(1);
}, 60_000);

test('[PD2] blanks are no command: nothing is called green by them', async () => {
  const bench = new ReviewBench({ rev_1: yesMan, rev_2: yesMan });
  const definition = await definitionOf(reviewFile());
  const input = { task: TASK, verify: '   ' };
  bench.run = await bench.host.start({ definition, input, project: bench.bench.project });
  expect(await bench.host.rest(bench.run)).toMatchObject({ outcome: 'ok', output: { evidence: {} } });
  expect(await bench.way()).not.toContain('verify');
}, 60_000);

test('[PD7] what passes only with what git ignores goes back to its author, with the words for that', async () => {
  const builds: Part = (request) =>
    makes(request, writes('src/bech32.ts', CAREFUL), {
      id: 'build',
      name: 'execute_terminal',
      arguments: { command: 'mkdir -p dist && echo built > dist/out.txt' },
    });
  const bench = new ReviewBench({ impl_1: builds, rev_1: yesMan, rev_2: yesMan }, { '.gitignore': 'dist/\n' });
  execFileSync('git', ['init', '-q'], { cwd: bench.bench.project });
  const rest = await bench.start(reviewFile({ verify: 'test -f dist/out.txt', extra: 'pick: tests\n' }));
  expect(await bench.way()).toContain('settle');
  const why = 'in its own folder, with what others changed meanwhile and without what git ignores';
  expect(bench.promptsOf('impl_1')[1]).toContain(`Your changes pass in your workspace. Merged, ${why}, they do not`);
  expect(rest.questions[0]?.text).toContain(`passes in its workspace, but not merged, ${why}:`);
  await bench.host.answer(bench.run, { answer: 'stop', by: 'ann' });
  expect(await bench.host.rest(bench.run)).toMatchObject({
    outcome: 'blocked',
    failure: { code: 'MERGE_NOT_FIXED' },
  });
}, 60_000);
