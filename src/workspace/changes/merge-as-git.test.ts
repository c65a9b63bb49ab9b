import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeTrees } from './merge-trees.ts';
import { picture, putFiles, storeWorld } from './testing/store-world.ts';
import type { Files } from './testing/store-world.ts';

const PATHS = ['a', 'b.txt', 'd/x', 'd/y', 'd/e/z'];
const content = fc
  .array(fc.constantFrom('1', '2', '3'), { minLength: 5, maxLength: 5 })
  .map((words) => words.map((word, line) => `line ${line} ${word}\n`).join('unchanged\nunchanged\n'));
const file = fc.option(fc.record({ content, mode: fc.constantFrom(0o644, 0o755) }), { freq: 6 });
const side = fc.tuple(...PATHS.map(() => file)).map((shapes): Files => {
  const made = shapes.flatMap((shape, at) => (shape === null ? [] : [[PATHS[at] ?? '', shape] as const]));
  return Object.fromEntries(made);
});

/** Git's own merge of three folders, renames aside: the files where it is clean, null where it is not. */
function mergedByGit(base: string, sides: readonly Files[]): Record<string, string> | null {
  rmSync(base, { recursive: true, force: true });
  mkdirSync(base);
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=base', ...words], {
      cwd: base,
      stdio: 'pipe',
      env: { PATH: '/usr/bin:/bin', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    });
  git('init', '-q');
  for (const [at, files] of sides.entries()) {
    if (at > 0) git('checkout', '-q', '-b', `side${at}`, 'base');
    if (at > 0) git('rm', '-rq', '--ignore-unmatch', '.');
    putFiles(base, files);
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', 'x');
  }
  git('checkout', '-q', 'side1');
  try {
    git('merge', '-q', '-X', 'no-renames', '--no-edit', 'side2');
  } catch {
    return null;
  }
  return filesOf(base);
}

/** Git knows nothing of folders without files. */
function filesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(picture(folder, { without: ['.git'] })).filter(([, shape]) => shape.startsWith('file')),
  );
}

test('[PD7] on random files a merge is clean where git merges, with the same result, and a conflict where git has one', async () => {
  // In memory where there is such a place: git writes many small files.
  const world = await storeWorld(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
  const counts = { clean: 0, conflict: 0 };
  let made = 0;
  await fc.assert(
    fc.asyncProperty(side, side, side, async (base, ours, theirs) => {
      const trees = [await world.treeOf(base), await world.treeOf(ours), await world.treeOf(theirs)] as const;
      const result = await mergeTrees(world.store, { base: trees[0], ours: trees[1], theirs: trees[2] });
      if (result.renames.length > 0) return;
      counts[result.kind] += 1;
      const byGit = mergedByGit(join(world.base, 'git'), [base, ours, theirs]);
      expect(result.kind).toBe(byGit === null ? 'conflict' : 'clean');
      if (byGit === null) return;
      made += 1;
      const folder = join(world.base, `out-${made}`);
      mkdirSync(folder);
      await world.store.restore(result.tree, folder, { index: join(world.base, 'out-index'), leaveOut: () => false });
      expect(filesOf(folder)).toEqual(byGit);
    }),
    { numRuns: 30, seed: 7 },
  );
  expect(counts.conflict).toBeGreaterThan(5);
}, 120_000);
