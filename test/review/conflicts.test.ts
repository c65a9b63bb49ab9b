import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallReply } from '../../src/actors/port.ts';
import { ConflictBench, idle, type Plot } from './conflict-bench.ts';
import { makes, writes } from './implementer-mind.ts';
import { hands } from './reviewer-mind.ts';
import { ReviewBench } from './review-bench.ts';
import type { Part } from './cast.ts';
import { yesMan } from './manners.ts';
import { reviewFile } from './review-file.ts';

const MINE = 'export const double = (n) => n + n;\n';
const THEIRS = 'export const double = (n) => 2 * n;\n';
const BOTH = '// Twice.\nexport const double = (n) => n + n;\n';
const WRONG = '// Twice?\nexport const double = (n) => n;\n';

/** Both write the same line. */
const SAME_LINE: Plot = { made: MINE, meanwhile: ['double.mjs', THEIRS], settle: idle };

/** What one writes counts on what the other changes. */
const SAME_MEANING: Plot = {
  made: "import { two } from './unit.mjs';\nexport const double = (n) => n * two;\n",
  meanwhile: ['unit.mjs', 'export const two = 3;\n'],
  settle: idle,
};

const settlesTo =
  (content: string): Plot['settle'] =>
  (request) =>
    makes(request, writes('double.mjs', content));

const broken: CallReply = {
  kind: 'failed',
  failure: { code: 'REQUEST_REFUSED', message: 'gone', class: 'bad-request' },
};

/** From one merge to the next. */
const SETTLED = ['unmerged', 'settle', 'guard', 'merge', 'merge_impl_1'];

const ASKED = ['merge_impl_1', ...SETTLED, 'unmerged', 'collide'];

describe('[PD7] the winner collides with what others changed meanwhile in the same files', () => {
  test('its author settles it in its own session and workspace, and what is merged was verified', async () => {
    const bench = new ConflictBench({ ...SAME_LINE, settle: settlesTo(BOTH) });
    expect(await bench.start()).toMatchObject({ outcome: 'ok', questions: [] });
    expect((await bench.way()).slice(-7)).toEqual(['merge_impl_1', ...SETTLED, 'done']);
    const [, advice = ''] = bench.promptsOf();
    expect(advice).toContain('These files hold both sides between conflict markers');
    expect(advice).toContain('- double.mjs');
    // The same conversation: what it did before is in it.
    const settling = bench.calls.find(({ state }) => state === 'settle');
    const did = settling?.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name));
    expect(did).toContain('write_file');
    const conflict = (await bench.facts()).find((fact) => fact.kind === 'files.changed' && fact.why === 'conflict');
    expect(conflict).toMatchObject({ workspace: expect.stringContaining('impl_1'), from: 'main' });
    expect(bench.file('double.mjs')).toBe(BOTH);
  }, 60_000);

  test('it is not settled: a person is asked in words, settles it in the folder, and it is merged and verified', async () => {
    const bench = new ConflictBench(SAME_LINE);
    const asked = await bench.start();
    expect(asked).toMatchObject({ status: 'waiting', questions: [{ kind: 'ask' }] });
    expect(asked.questions[0]?.text).toBe(
      'impl_1 was chosen, and collides with what others changed meanwhile, in double.mjs:1. ' +
        'It was asked to settle that, and did not. Its workspace holds both sides; troupe show RUN names the folder.\n' +
        'Answer "again" when you have settled it there, "stop" to leave it unmerged, or say how it is to be settled: ' +
        'impl_1 hears it and tries once more.',
    );
    expect((await bench.way()).slice(-8)).toEqual(ASKED);
    // Nothing came home, and both sides are there to be settled.
    expect(bench.file('double.mjs')).toBe(THEIRS);
    const file = join(await bench.folder(), 'double.mjs');
    expect(readFileSync(file, 'utf8')).toMatch(/<{7}[^]*2 \* n[^]*={7}[^]*n \+ n[^]*>{7}/);
    // Too early is asked again.
    expect(await bench.answer('again')).toMatchObject({ status: 'waiting' });
    writeFileSync(file, BOTH);
    expect(await bench.answer(' Again')).toMatchObject({ outcome: 'ok' });
    expect(bench.file('double.mjs')).toBe(BOTH);
    expect(bench.promptsOf()).toHaveLength(2);
  }, 60_000);

  test('a person says how, the author hears it in its session and settles it', async () => {
    const bench = new ConflictBench({
      ...SAME_LINE,
      settle: (request) =>
        request.messages.some(({ content }) => content.includes('Keep both')) ? settlesTo(BOTH)(request) : idle(),
    });
    expect(await bench.start()).toMatchObject({ status: 'waiting' });
    expect(await bench.answer('Keep both, with a word about it.')).toMatchObject({ outcome: 'ok' });
    const [, , prompt = ''] = bench.promptsOf();
    expect(prompt).toMatch(/^A person says how to resolve it: Keep both, with a word about it\.\n/);
    expect(prompt).toContain('double.mjs:1');
    expect(bench.file('double.mjs')).toBe(BOTH);
  }, 60_000);

  test('a person leaves it: the review ends blocked with both sides kept, and nothing of it is merged', async () => {
    const bench = new ConflictBench(SAME_LINE);
    await bench.start();
    expect(await bench.answer('stop')).toMatchObject({ outcome: 'blocked' });
    expect((await bench.facts()).at(-1)).toMatchObject({
      kind: 'run.settled',
      outcome: 'blocked',
      output: { winner: 'impl_1', decision: 'APPROVE' },
      failure: {
        code: 'MERGE_NOT_FIXED',
        message: 'impl_1 collides with what others changed meanwhile, in double.mjs:1. It was not settled.',
        hint: 'Both sides are in its workspace: troupe diff RUN --agent impl_1',
      },
    });
    expect(bench.file('double.mjs')).toBe(THEIRS);
  }, 60_000);

  test('[L5] an author that fails, and one whose settling is red, come to the person as well', async () => {
    for (const [settle, words] of [
      [() => broken, /collides with what others changed meanwhile, in double\.mjs:1\./],
      [settlesTo(WRONG), /passes in its workspace, but not merged, .* do not pass `node test\.mjs` \(exit code 1\)/],
    ] as const) {
      const bench = new ConflictBench({ ...SAME_LINE, settle });
      const asked = await bench.start();
      expect(asked.questions.map(({ text }) => text)).toEqual([expect.stringMatching(words)]);
      expect((await bench.way()).slice(-8)).toEqual(ASKED);
      expect(bench.file('double.mjs')).toBe(THEIRS);
    }
  }, 60_000);

  test('a path that can have no marks is settled with the tool for it', async () => {
    const bench = new ConflictBench({
      ...SAME_LINE,
      meanwhile: ['double.mjs', null],
      settle: (request) =>
        request.call === 1 ? hands('settle_conflict', { path: 'double.mjs', take: 'mine' }) : idle(),
    });
    expect(await bench.start()).toMatchObject({ outcome: 'ok' });
    expect(bench.promptsOf()[1]).toContain('double.mjs: you changed it, the other side deleted it');
    expect(bench.file('double.mjs')).toBe(MINE);
  }, 60_000);
});

describe('[PD7] green alone and red together is a collision too', () => {
  test('its author sees both together and what fails, and fixes it', async () => {
    const bench = new ConflictBench({ ...SAME_MEANING, settle: settlesTo(MINE) });
    expect(await bench.start()).toMatchObject({ outcome: 'ok' });
    expect((await bench.way()).slice(-7)).toEqual(['merge_impl_1', ...SETTLED, 'done']);
    const [, prompt = ''] = bench.promptsOf();
    expect(prompt).toContain(
      'Your changes pass in your workspace. Merged, in its own folder, with what others changed meanwhile',
    );
    expect(prompt).toContain('6 !== 4');
    expect(bench.file('double.mjs')).toBe(MINE);
    expect(bench.file('unit.mjs')).toContain('3');
    expect(readFileSync(join(await bench.folder(), 'unit.mjs'), 'utf8')).toContain('3');
  }, 60_000);

  test('it is not fixed: a person is asked, and nothing is merged', async () => {
    const bench = new ConflictBench(SAME_MEANING);
    const asked = await bench.start();
    expect(asked.questions[0]?.text).toContain(
      'impl_1 was chosen, and passes in its workspace, but not merged, in its own folder, with what others changed meanwhile and without what git ignores: ' +
        'impl_1 was to fix its work and changed no file. The merged files do not pass `node test.mjs` (exit code 1).',
    );
    await bench.answer('stop');
    expect((await bench.facts()).at(-1)).toMatchObject({ outcome: 'blocked', failure: { code: 'MERGE_NOT_FIXED' } });
    expect(bench.file('double.mjs')).toContain('() => 0');
  }, 60_000);
});

test('[PD5] [PD7] a run that is put back and takes another winner meets the one before, and settles with it', async () => {
  const wrote = (name: string) => `export const encode = '${name}';\n`;
  const part =
    (name: string): Part =>
    (request) =>
      makes(request, writes('src/bech32.ts', request.state.startsWith('settle') ? wrote('both') : wrote(name)));
  const bench = new ReviewBench({ impl_1: part('one'), impl_2: part('two'), rev_1: yesMan, rev_2: yesMan });
  const asked = await bench.start(reviewFile({ verify: 'test -f src/bech32.ts', extra: 'pick: person\n' }));
  expect(asked).toMatchObject({ status: 'waiting' });
  await bench.host.answer(bench.run, { answer: 'APPROVE impl_1', by: 'ann' });
  expect(await bench.host.rest(bench.run)).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1' } });
  const to = (await bench.facts()).findIndex((fact) => fact.kind === 'state.entered' && fact.state === 'ask') + 1;
  await bench.host.rewind(bench.run, { to, files: false, conversation: true, by: 'ann' });
  await bench.host.resume(bench.run);
  expect(await bench.host.rest(bench.run)).toMatchObject({ status: 'waiting' });
  await bench.host.answer(bench.run, { answer: 'APPROVE impl_2', by: 'ann' });
  expect(await bench.host.rest(bench.run)).toMatchObject({ outcome: 'ok', output: { winner: 'impl_2' } });
  const settled = SETTLED.map((state) => state.replace('impl_1', 'impl_2'));
  expect((await bench.way()).slice(-7)).toEqual(['merge_impl_2', ...settled, 'done']);
  expect(bench.promptsOf('impl_2').at(-1)).toContain('- src/bech32.ts');
  expect(bench.file('src/bech32.ts')).toBe(wrote('both'));
}, 60_000);

test('[PD5] [PD7] two whose chosen parts collide are not put together by halves: the best stands for itself', async () => {
  const wrote = (name: string) => `export const encode = '${name}';\n`;
  const part =
    (name: string): Part =>
    (request) =>
      makes(request, writes('src/bech32.ts', wrote(name)));
  const parts = ['impl_1', 'impl_2'].map((implementation) => ({ implementation, paths: ['src/bech32.ts'] }));
  const bench = new ReviewBench({
    impl_1: part('one'),
    impl_2: part('two'),
    rev_1: yesMan,
    rev_2: yesMan,
    synthesiser: () =>
      hands('hand_in_synthesis', { decision: 'APPROVE', best: 'impl_2', reason: 'Both are good.', parts }),
  });
  const rest = await bench.start(reviewFile({ verify: 'test -f src/bech32.ts', extra: 'pick: synthesis\n' }));
  expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'impl_2', decision: 'APPROVE' } });
  expect(JSON.stringify(rest.output)).toContain('is in conflict with the parts before it: src/bech32.ts');
  expect(bench.file('src/bech32.ts')).toBe(wrote('two'));
}, 60_000);
