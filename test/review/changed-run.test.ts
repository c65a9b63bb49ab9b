import { expect, test } from 'vitest';
import { stubborn, yesMan } from './manners.ts';
import { ReviewBench } from './review-bench.ts';
import { definitionOf, reviewFile } from './review-file.ts';

const EXISTS = 'test -f src/bech32.ts';

test('[ST5] [PD6] a review that goes on with another definition keeps to its terms', async () => {
  const bench = new ReviewBench({ rev_2: stubborn });
  const file = (extra: string): string => reviewFile({ verify: EXISTS, extra: `pick: person\n${extra}` });
  expect(await bench.start(file('max_revisions: 2\n'))).toMatchObject({ status: 'waiting' });
  await bench.host.shutdown();
  const { host } = bench.bench.host();
  await host.redefine(bench.run, { definition: await definitionOf(file('max_revisions: 0\n')), by: 'ann' });
  await host.resume(bench.run);
  await host.rest(bench.run);
  await host.answer(bench.run, { answer: 'REVISE_BEST impl_1', by: 'ann' });
  expect(await host.rest(bench.run)).toMatchObject({
    outcome: 'partial',
    output: { winner: 'impl_1', revisions: 0 },
    failure: { code: 'REVISIONS_USED', message: expect.stringContaining('After 0 revisions') },
  });
}, 60_000);

/** The record with which a state was entered. */
async function enteredAt(bench: ReviewBench, state: string): Promise<number> {
  return (await bench.facts()).findIndex((fact) => fact.kind === 'state.entered' && fact.state === state) + 1;
}

test('[L3] [PD2] a fork with another command is verified and merged by that one', async () => {
  const bench = new ReviewBench({ rev_1: yesMan, rev_2: yesMan });
  expect(await bench.start(reviewFile({ verify: EXISTS }))).toMatchObject({ outcome: 'ok' });
  const other = `${EXISTS} && echo other`;
  const at = await enteredAt(bench, 'verify');
  const fork = await bench.host.fork(bench.run, { at, input: { verify: other }, by: 'ann' });
  await bench.host.resume(fork);
  expect(await bench.host.rest(fork)).toMatchObject({
    outcome: 'ok',
    output: { evidence: { impl_1: { command: other, output: 'other' } } },
  });
  const merged = (await bench.bench.facts(fork)).flatMap((fact) =>
    fact.kind === 'task.started' && fact.work.kind === 'merge' ? [fact.work.verify] : [],
  );
  expect(merged).toEqual([[other]]);
}, 60_000);

test('[L3] [PD2] a fork without a command calls nothing green', async () => {
  const bench = new ReviewBench({ rev_1: yesMan, rev_2: yesMan });
  expect(await bench.start(reviewFile({ verify: EXISTS }))).toMatchObject({ outcome: 'ok' });
  const at = await enteredAt(bench, 'verify');
  const fork = await bench.host.fork(bench.run, { at, input: { verify: '' }, by: 'ann' });
  await bench.host.resume(fork);
  const { outcome, output } = await bench.host.rest(fork);
  expect(outcome).toBe('ok');
  expect(output).toHaveProperty('evidence', {});
}, 60_000);

test('[L3] [PD1] a fork with another task asks for that one', async () => {
  const bench = new ReviewBench({ rev_1: yesMan, rev_2: yesMan });
  await bench.start(reviewFile({ verify: EXISTS }));
  const at = await enteredAt(bench, 'try_verify');
  bench.calls.length = 0;
  const fork = await bench.host.fork(bench.run, { at, input: { task: 'Make it short.' }, by: 'ann' });
  await bench.host.resume(fork);
  await bench.host.rest(fork);
  const test = '# Test command\n\nWhen you are done the engine runs: test -f src/bech32.ts';
  expect(bench.promptsOf('impl_1')[0]).toBe(`# The task\n\nMake it short.\n\n${test}`);
  expect(bench.promptsOf('rev_1')[0]).toContain('Make it short.');
}, 60_000);
