import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyTrees } from './apply-trees.ts';
import { planApply } from './plan-apply.ts';
import { picture, putFiles, storeWorld } from './testing/store-world.ts';
import type { Files } from './testing/store-world.ts';

async function scene(before: Files, run: Files) {
  const world = await storeWorld();
  putFiles(world.project, before);
  const recordProject = () => world.record(world.project);
  const base = await recordProject();
  const theirs = await world.treeOf(run);
  const plan = () => planApply(world.store, { base, theirs, recordProject });
  return { ...world, folder: world.base, recordProject, theirs, plan };
}

test('[PD7] the plan is made against the files as they are now, and writes nothing', async () => {
  const { project, store, plan, recordProject } = await scene(
    { a: '1\n', b: '1\n' },
    { a: '2\n', b: '1\n', c: 'new\n' },
  );
  writeFileSync(join(project, 'b'), 'mine\n');
  const before = picture(project);
  const planned = await plan();
  expect(picture(project)).toEqual(before);
  if (planned.kind !== 'plan') throw new Error('expected a plan');
  expect(planned.changes.map(({ path }) => path)).toEqual(['a', 'c']);
  expect(await applyTrees(store, { from: planned.ours, to: planned.tree, project })).toMatchObject({ kind: 'applied' });
  expect(await recordProject()).toBe(planned.tree);
  expect(readFileSync(join(project, 'b'), 'utf8')).toBe('mine\n');
  expect(await plan()).toMatchObject({ kind: 'plan', changes: [] });
});

test('[PD7] a conflict with the user is returned with both sides, and nothing is written', async () => {
  const { project, plan } = await scene({ a: '1\n' }, { a: '2\n' });
  writeFileSync(join(project, 'a'), 'mine\n');
  const planned = await plan();
  expect(planned).toMatchObject({
    kind: 'conflict',
    conflicts: [
      { path: 'a', kind: 'content', base: { text: '1\n' }, ours: { text: 'mine\n' }, theirs: { text: '2\n' } },
    ],
  });
  expect(readFileSync(join(project, 'a'), 'utf8')).toBe('mine\n');
});

test('a link that leads out of the project is pointed out', async () => {
  const { plan } = await scene(
    {},
    { in: { link: 'x' }, 'd/up': { link: '../x' }, out: { link: '/etc/passwd' }, up: { link: '../x' } },
  );
  expect(await plan()).toMatchObject({ kind: 'plan', cautions: [{ path: 'out' }, { path: 'up' }] });
});

test('[D44] new files that together are a repository are refused; one the user has is none of the run’s making', async () => {
  const bare: Files = {
    'r/HEAD': 'ref: refs/heads/x',
    'r/config': '[core]\n\tfsmonitor = x',
    'r/objects/': '',
    'r/refs/': '',
  };
  const made = await scene({ a: '' }, { a: '', ...bare });
  expect(await made.plan()).toMatchObject({ kind: 'conflict', conflicts: [{ path: 'r/HEAD', kind: 'repository' }] });
  const had = await scene(bare, { ...bare, a: '' });
  expect(await had.plan()).toMatchObject({ kind: 'plan' });
});

test('[PD7] a side that is chosen settles its conflict, a folder or a deletion too; the others stay', async () => {
  const { project, store, recordProject, theirs, treeOf } = await scene({}, { a: 'run\n', b: 'run\n', d: 'file\n' });
  const base = await treeOf({ a: '1\n', b: '1\n', c: '1\n', gone: '1\n' });
  putFiles(project, { a: 'mine\n', b: 'mine\n', c: 'mine\n', 'd/x': 'mine\n', 'd/y': 'mine\n' });
  const plan = (choose: (path: string) => 'ours' | 'theirs' | null) =>
    planApply(store, { base, theirs, recordProject, choose });
  expect(await plan((path) => (path === 'a' ? 'ours' : null))).toMatchObject({
    kind: 'conflict',
    conflicts: [{ path: 'b' }, { path: 'c' }, { path: 'd' }],
    settled: [{ path: 'a' }],
  });
  const mine = await plan(() => 'ours');
  expect(mine).toMatchObject({ kind: 'plan', changes: [] });
  const planned = await plan((path) => (path === 'a' ? 'ours' : 'theirs'));
  if (planned.kind !== 'plan') throw new Error('expected a plan');
  expect(await applyTrees(store, { from: planned.ours, to: planned.tree, project })).toMatchObject({ kind: 'applied' });
  expect(readdirSync(project).sort()).toEqual(['a', 'b', 'd']);
  expect(readFileSync(join(project, 'a'), 'utf8')).toBe('mine\n');
  expect(readFileSync(join(project, 'd'), 'utf8')).toBe('file\n');
});

test('[PD7] the choice of the own version keeps it under the name that the run gave the file', async () => {
  const lines = 'one\ntwo\nthree\nfour\nfive\nsix\n';
  const {
    project,
    store,
    plan: _plan,
    recordProject,
    theirs,
    treeOf,
  } = await scene({ 'old.txt': lines.replace('two', 'mine') }, { 'new.txt': lines.replace('two', 'the run') });
  const base = await treeOf({ 'old.txt': lines });
  const planned = await planApply(store, { base, theirs, recordProject, choose: () => 'ours' });
  if (planned.kind !== 'plan') throw new Error('expected a plan');
  await applyTrees(store, { from: planned.ours, to: planned.tree, project });
  expect(readdirSync(project)).toEqual(['new.txt']);
  expect(readFileSync(join(project, 'new.txt'), 'utf8')).toBe(lines.replace('two', 'mine'));
});

test('[PD7] choosing a side for the mode of a folder changes nothing of what is in it', async () => {
  const { store, theirs, recordProject, treeOf } = await scene(
    { 'src/': { mode: 0o750 }, 'src/mine': 'my edit\n', 'src/run': 'old\n', 'src/new': 'mine\n' },
    { 'src/': { mode: 0o700 }, 'src/mine': 'old\n', 'src/run': 'by the run\n' },
  );
  const base = await treeOf({ 'src/mine': 'old\n', 'src/run': 'old\n' });
  const merged: Files = { 'src/mine': 'my edit\n', 'src/run': 'by the run\n', 'src/new': 'mine\n' };
  for (const [side, mode] of [
    ['ours', 0o750],
    ['theirs', 0o700],
  ] as const) {
    const planned = await planApply(store, { base, theirs, recordProject, choose: () => side });
    expect(planned).toMatchObject({ kind: 'plan', settled: [{ path: 'src', kind: 'mode' }] });
    expect(planned.tree).toBe(await treeOf({ ...merged, 'src/': { mode } }));
  }
});

test('[PD7] choosing a side for the mode of a file keeps its content, no matter which side changed that', async () => {
  const run = (content: string, mode = 0o644) => ({ 'run.sh': { content, mode } });
  for (const [mine, their, merged] of [
    ['mine\n', 'old\n', 'mine\n'],
    ['old\n', 'run\n', 'run\n'],
  ] as const) {
    const { store, theirs, recordProject, treeOf } = await scene(run(mine, 0o755), run(their, 0o600));
    const base = await treeOf(run('old\n'));
    for (const [side, mode] of [
      ['ours', 0o755],
      ['theirs', 0o600],
    ] as const) {
      const planned = await planApply(store, { base, theirs, recordProject, choose: () => side });
      expect([side, planned.tree]).toEqual([side, await treeOf(run(merged, mode))]);
    }
  }
});
