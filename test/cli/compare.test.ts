import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CompareView } from '../../src/formats/review/views/compare-view.ts';
import { widest } from './phase-project.ts';
import { reviewProject, runReview } from './review-project.ts';

test('[PD5] [U5] implementations side by side, from the files and the journal', async () => {
  const sandbox = reviewProject();
  const { run } = await runReview(sandbox);
  const view = JSON.parse((await sandbox.troupe(['compare', 'last', '--json'])).stdout) as CompareView;
  expect(view).toMatchObject({
    kind: 'compare',
    run,
    verify: 'node --test test.mjs',
    pick: 'ranking',
    winner: 'impl_1',
    isMerged: true,
    revisions: 1,
  });
  expect(view.implementations).toMatchObject([
    {
      id: 'impl_1',
      models: ['base'],
      standing: 'merged',
      evidence: { isGreen: true, passed: 1, failed: 0, tampered: [] },
      diff: { files: 1, added: 1, removed: 0, of: 'now' },
      findings: { against: { critical: 0, minor: 0 }, done: 1 },
      rank: 1,
      revisions: 1,
      spending: { turns: 2 },
    },
    {
      id: 'other',
      standing: 'aside',
      evidence: { isGreen: false, failed: 1, tampered: [{ path: 'test.mjs', how: 'changed' }] },
      diff: { files: 2, added: 3, removed: 4 },
      findings: { against: { critical: 2 } },
      rank: 2,
    },
    {
      id: 'lazy',
      standing: 'lost',
      lost: { outcome: 'failed' },
      evidence: null,
      diff: { files: 0, added: 0, removed: 0 },
      rank: null,
    },
  ]);
  const { stdout } = await sandbox.troupe(['compare', run]);
  expect(stdout).toMatch(/^winner {4}impl_1, merged$/m);
  expect(stdout).toMatch(/^standing +winner, merged +not chosen +lost$/m);
  expect(stdout).toMatch(/^diff +1 file \+1 -0 +2 files \+3 -4 +empty$/m);
  expect(stdout).toMatch(/^lazy {2}lost: failed, /m);
  expect(widest(stdout)).toBeLessThanOrEqual(80);
});

test('[PD5] what is different between two of them is a patch', async () => {
  const sandbox = reviewProject();
  await runReview(sandbox);
  const diff = (...words: readonly string[]) => sandbox.troupe(['compare', 'last', '--diff', ...words]);
  const [{ code, stdout }, text, same, unknown, one, three] = await Promise.all([
    diff('impl_1', 'other'),
    diff('impl_1', 'other', '--json'),
    diff('impl_1', 'impl_1'),
    diff('impl_1', 'othr'),
    diff('impl_1'),
    diff('impl_1', 'other', 'lazy'),
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain('-export const double = (value) => value + value;\n+// Squares it.\n');
  const json: unknown = JSON.parse(text.stdout);
  expect(json).toMatchObject({
    kind: 'compare-diff',
    from: 'impl_1',
    to: 'other',
    added: 3,
    removed: 5,
    patch: stdout,
  });
  expect(same).toEqual({ code: 0, stdout: '', stderr: 'impl_1 and impl_1 have the same files.\n' });
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain(
    'IMPLEMENTATION_UNKNOWN: There is no implementation "othr" in this run.\nhint: Did you mean "other"?',
  );
  for (const { code: usage, stderr } of [one, three]) {
    expect(usage).toBe(2);
    expect(stderr).toContain('--diff takes two implementations');
  }
});

test('[PD5] where the files are no longer stored, sizes are those of the first pack and there is no patch', async () => {
  const sandbox = reviewProject();
  const { run } = await runReview(sandbox);
  rmSync(join(sandbox.home, 'stores'), { recursive: true });
  rmSync(join(sandbox.home, 'runs', run), { recursive: true });
  const view = JSON.parse((await sandbox.troupe(['compare', run, '--json'])).stdout) as CompareView;
  expect(view.implementations[1]?.diff).toEqual({ files: 2, added: 3, removed: 4, binary: 0, of: 'first' });
  const { code, stderr } = await sandbox.troupe(['compare', run, '--diff', 'impl_1', 'other']);
  expect(code).toBe(2);
  expect(stderr).toContain('FILES_PRUNED');
});
