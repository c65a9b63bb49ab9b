import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { applyTrees } from './apply-trees.ts';
import { partialName } from './perform-steps.ts';
import { picture, putFiles, storeWorld } from './testing/store-world.ts';
import type { Files } from './testing/store-world.ts';

const BEFORE: Files = {
  a: '1',
  'file-to-folder': 'x',
  'folder-to-file/a/b': 'x',
  link: { link: 'one' },
  'closed/x': 'x',
  'closed/': { mode: 0o555 },
};
const AFTER: Files = {
  a: { content: '2', mode: 0o600 },
  'file-to-folder/inside': 'y',
  'folder-to-file': 'y',
  link: 'a file now',
  'closed/x': 'y',
  'closed/': { mode: 0o555 },
  'new/sealed/x': 'x',
  'new/sealed/': { mode: 0o500 },
};
const DRIVER = fileURLToPath(new URL('testing/dying-apply.ts', import.meta.url));
const WRITES = 6;

test('[L6] killed with -9 at any write, the same again finishes it, and the opposite undoes it', async () => {
  const world = await storeWorld(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
  putFiles(world.project, BEFORE);
  const { store, project } = world;
  const from = await world.record(project);
  const to = await world.treeOf(AFTER);
  const before = picture(project);
  const finish = async () => {
    const { kind } = await applyTrees(store, { from, to, project });
    return kind === 'applied' ? world.record(project) : kind;
  };
  for (let when = 1; when <= WRITES + 1; when += 1) {
    const dead = spawnSync(process.execPath, [DRIVER, store.gitDir, project, from, to, String(when)]);
    expect([when, dead.signal, String(dead.stderr)]).toEqual([when, when <= WRITES ? 'SIGKILL' : null, '']);
    const finished = when % 2 === 0 ? await finish() : to;
    expect(finished).toBe(to);
    expect(await applyTrees(store, { from: to, to: from, project })).toMatchObject({ kind: 'applied' });
    expect(picture(project)).toEqual(before);
  }
});

test('[L6] half a file that a dead process left beside is cleared away', async () => {
  const { store, project, record, treeOf } = await storeWorld();
  putFiles(project, { a: '1', b: '1' });
  const from = await record(project);
  const to = await treeOf({ a: '2', b: '1', c: 'new' });
  for (const name of ['a', 'c']) writeFileSync(join(project, String(partialName(Buffer.from(name)))), 'hal');
  writeFileSync(join(project, 'c'), 'new', { mode: 0o644 });
  expect(await applyTrees(store, { from, to, project })).toMatchObject({ kind: 'applied', written: ['a'] });
  expect(await record(project)).toBe(to);
});
