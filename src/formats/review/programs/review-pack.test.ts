import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decideReview } from '../rules/decide.ts';
import { newLedger } from '../rules/ledger.ts';
import type { ReviewPack, ReviewState } from '../rules/review-state.ts';
import { cutDiffs } from './cut-pack.ts';
import type { FileDiff } from '../../../host/perform/files/file-diffs.ts';
import { packText } from './pack-text.ts';
import { askReview, programStep, changes, opens, packs, placeOf } from './testing/review-bench.ts';

const FILES = { 'src/add.ts': 'one\ntwo\nthree\n', 'README.md': 'Read me\n' };

test('[PD2] reviewers get the task, the evidence, the files and the real diff of each, and all files as folders', async () => {
  const evidence = {
    command: 'npm test',
    exitCode: 1,
    isGreen: false,
    passed: 3,
    failed: 1,
    output: 'not ok',
    tampered: [{ path: 'test/a.test.ts', how: 'deleted' }],
  };
  const { states, folder } = await askReview(
    [
      { by: 'impl_1', writes: { 'src/add.ts': 'one\nTWO\nthree\n' } },
      { by: 'impl_2', writes: { 'src/new.ts': 'fresh\n' } },
      opens(['impl_1', 'impl_2'], { evidence: { impl_1: evidence } }),
      packs(),
      packs(),
    ],
    { files: FILES },
  );
  const [, { pack, firstSizes }, second] = states as readonly [
    ReviewState,
    ReviewState & { pack: ReviewPack },
    ReviewState,
  ];
  expect(pack.text).toContain('# The task\n\nMake it add.');
  expect(pack.text).toContain('`npm test`, run by the engine, is RED (exit code 1, 3 tests passed, 1 failed)');
  expect(pack.text).toContain('TAMPERED with files that the command depends on: test/a.test.ts (deleted)');
  expect(pack.text).toContain('    not ok');
  expect(pack.text).toContain('@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three');
  expect(pack.text).toContain('# Implementation impl_2');
  expect(pack.text).toContain('  src/new.ts +1 -0, added');
  // Unchanged files are in the workspace, and ids of objects say nothing.
  expect(pack.text).not.toMatch(/README|^index /m);
  expect(pack.diffs).toMatchObject({
    impl_1: {
      files: [{ path: 'src/add.ts', how: 'changed' }],
      hunks: { 'src/add.ts': [[2, 1]] },
    },
    impl_2: { hunks: { 'src/new.ts': [[1, 1]] } },
  });
  expect(pack.engine).toMatchObject([{ implementation: 'impl_1', severity: 'critical', file: 'test/a.test.ts' }]);
  expect(firstSizes).toEqual({
    impl_1: { files: 1, added: 1, removed: 1, binary: 0 },
    impl_2: { files: 1, added: 1, removed: 0, binary: 0 },
  });
  // Asked again it gives the same trees.
  expect(second.pack).toMatchObject({ trees: pack.trees });
  const root = placeOf(folder, 'review');
  expect(readFileSync(join(root, 'impl_1/src/add.ts'), 'utf8')).toBe('one\nTWO\nthree\n');
  expect(readFileSync(join(root, 'impl_2/src/new.ts'), 'utf8')).toBe('fresh\n');
  expect(existsSync(join(root, 'src'))).toBe(false);
});

test('[PD2] an empty implementation is reported as such, and the engine has a finding against it', async () => {
  const { state } = await askReview([opens(['impl_1']), packs()], { files: FILES });
  expect(state.pack?.text).toContain('It is EMPTY');
  expect(state.pack?.engine).toMatchObject([
    { implementation: 'impl_1', severity: 'critical', claim: 'Nothing was changed.' },
  ]);
});

test('[PD6] after a revision only what changed since is shown, and the others stay where they were', async () => {
  const decision = {
    ...decideReview(newLedger([], ['impl_1'], 1), { pick: 'ranking', evidence: {} }),
    chosen: ['impl_1'],
  };
  const revision = [changes({ decision }), programStep('review.orders'), changes({ revisions: 1 })];
  const { states, folder } = await askReview(
    [
      { by: 'impl_1', writes: { 'src/add.ts': 'one\nTWO\nthree\n' } },
      { by: 'impl_2', writes: { 'src/new.ts': 'fresh\n' } },
      opens(['impl_1', 'impl_2']),
      packs(),
      ...revision,
      { by: 'impl_1', writes: { 'src/more.ts': 'more\n' } },
      packs(),
      programStep('review.orders'),
      packs(),
    ],
    { files: FILES },
  );
  const [second, , third] = states.slice(-3).map(({ pack }) => pack);
  expect(second?.text).toContain('+more');
  expect(second?.text).not.toContain('+TWO');
  expect(second?.diffs).toEqual({ impl_1: expect.objectContaining({ hunks: { 'src/more.ts': [[1, 1]] } }) });
  expect(third?.text).toContain('NOTHING was changed since.');
  expect(third?.engine).toEqual([]);
  const root = placeOf(folder, 'review');
  expect(readFileSync(join(root, 'impl_2/src/new.ts'), 'utf8')).toBe('fresh\n');
  expect(readFileSync(join(root, 'impl_1/src/more.ts'), 'utf8')).toBe('more\n');
});

const fileDiff = (path: string, chars: number): FileDiff => {
  const head = `diff --git a/${path} b/${path}\n@@ -0,0 +1 @@\n`;
  const body = '+x234567890\n'.repeat(Math.ceil((chars - head.length) / 12));
  return {
    path,
    how: 'added',
    added: 1,
    removed: 0,
    isBinary: false,
    bytes: chars,
    text: `${head}${body}`,
    hunks: [{ before: [1, 0], after: [1, 1] }],
  };
};

test('[PD2] long diffs are cut by one rule: each file, then the largest ones; and the cuts are listed', () => {
  const files = [fileDiff('huge.ts', 100_000), fileDiff('large.ts', 12_000), fileDiff('small.ts', 500)];
  const roomy = cutDiffs('impl_1', files, 60_000);
  expect(roomy.cut).toMatchObject([{ implementation: 'impl_1', path: 'huge.ts', ofChars: files[0]?.text.length }]);
  expect(roomy.shown.get('huge.ts')?.length).toBeLessThanOrEqual(16_000);
  expect(roomy.shown.get('large.ts')).toBe(files[1]?.text);
  const tight = cutDiffs('impl_1', files, 13_000);
  expect(tight.cut.map(({ path }) => path)).toEqual(['huge.ts']);
  const narrow = cutDiffs('impl_1', files, 400);
  expect([...narrow.shown.values()].join('').length).toBeLessThanOrEqual(400);
  expect(narrow.cut.map(({ path }) => path)).toEqual(['huge.ts', 'large.ts', 'small.ts']);
  for (const text of [...tight.shown.values(), ...narrow.shown.values()]) expect(text).toMatch(/^$|\n$/);
  expect(cutDiffs('impl_1', files, 400)).toEqual(narrow);
});

test('[PD2] binary and huge files are listed by name and size', () => {
  const base = { how: 'added', added: 0, removed: 0, isBinary: true, text: '', hunks: [] } as const;
  const files: readonly FileDiff[] = [
    { ...base, path: 'image.png', bytes: 20_480 },
    { ...base, path: 'huge.txt', bytes: 50 * 1024 * 1024 },
  ];
  const { shown, cut } = cutDiffs('impl_1', files, 1000);
  const text = packText([{ id: 'impl_1', evidence: null, files, shown, cut }], {
    task: 'It.',
    isRevision: false,
  });
  expect(text).toContain('image.png (20480 bytes, not shown, added)');
  expect(text).toContain('huge.txt (52428800 bytes, not shown, added)');
});
