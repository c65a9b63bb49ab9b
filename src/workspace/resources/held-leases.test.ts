import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createResources, HeldLeases } from './resources.ts';

/** Leases of a process that shares so many databases with all others. */
function testLeases(count: number) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'leases-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const leases = new HeldLeases(createResources({ home, settings: { db: { kind: 'name', pattern: 'db{n}', count } } }));
  const db = async (root: string, workspace: string) => (await leases.lease({ root, workspace })).values['db'];
  return { leases, db };
}

const EXHAUSTED = { code: 'RESOURCE_EXHAUSTED' };

test('[PD1] a run that is let go gives back what its workspaces had, and no other run loses anything', async () => {
  const { leases, db } = testLeases(3);
  const [one, two, other] = [await db('r1', 'main'), await db('r1', 'coder'), await db('r2', 'main')];
  await expect(db('r3', 'main')).rejects.toMatchObject(EXHAUSTED);
  await leases.release({ root: 'r1' });
  expect(new Set([await db('r3', 'main'), await db('r4', 'main')])).toEqual(new Set([one, two]));
  expect(await db('r2', 'main')).toBe(other);
});

test('[PD1] one workspace can be released alone, and gets the same again', async () => {
  const { leases, db } = testLeases(2);
  const [main, coder] = [await db('r1', 'main'), await db('r1', 'coder')];
  await leases.release({ root: 'r1', workspace: 'coder' });
  expect(await db('r2', 'main')).toBe(coder);
  expect(await db('r1', 'main')).toBe(main);
  await leases.release({ root: 'r2' });
  expect(await db('r1', 'coder')).toBe(coder);
});

test('[PD1] workspaces that the engine makes for a moment use what the main one has', async () => {
  const { leases, db } = testLeases(1);
  const main = await db('r1', 'main');
  for (const name of ['scratch', 'child.1.scratch', 'throwaway', 'merge.check.0a1b'])
    expect(await db('r1', name)).toBe(main);
  await expect(db('r1', 'myscratch')).rejects.toMatchObject(EXHAUSTED);
  await leases.release({ root: 'r1', workspace: 'scratch' });
  await expect(db('r2', 'main')).rejects.toMatchObject(EXHAUSTED);
});

test('[PD1] who opens while a release is under way waits for it, and one under way is released as well', async () => {
  const { leases, db } = testLeases(1);
  await db('r1', 'main');
  const [, again] = await Promise.all([leases.release({ root: 'r1' }), db('r1', 'main')]);
  expect(again).toBe('db1');
  await leases.release();
  const opening = db('r2', 'main');
  await leases.release({ root: 'r2' });
  await opening;
  expect(await db('r3', 'main')).toBe('db1');
});
