import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { TreeSessions } from './tree-sessions.ts';

const ROOT = runId('root');

/** Sessions that say when they open and close. */
function talkingSessions({ open, close }: { open?: () => Promise<void>; close?: () => Promise<void> } = {}) {
  const said: string[] = [];
  let count = 0;
  const trees = new TreeSessions<number>(async (root, work) => {
    const id = (count += 1);
    await open?.();
    said.push(`open ${root} ${id}`);
    await work(id);
    said.push(`closing ${root} ${id}`);
    await close?.();
    said.push(`close ${root} ${id}`);
  });
  return { said, trees };
}

test('[U8] runs of one tree share a session, which the last of them closes', async () => {
  const { said, trees } = talkingSessions();
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const one = trees.use(ROOT, () => first.promise);
  const other = trees.use(ROOT, () => second.promise);
  first.resolve();
  await one;
  expect(said).toEqual(['open root 1']);
  second.resolve();
  await other;
  expect(said).toEqual(['open root 1', 'closing root 1', 'close root 1']);
});

test('[U8] who comes while a session closes waits for that, and gets a new one', async () => {
  const closing = Promise.withResolvers<void>();
  const { said, trees } = talkingSessions({ close: () => closing.promise });
  const one = trees.use(ROOT, () => Promise.resolve());
  await expect.poll(() => said).toContain('closing root 1');
  const two = trees.use(ROOT, (id) => Promise.resolve(void said.push(`used ${id}`)));
  // A session of another tree has opened and been used by then: this one could have.
  await trees.use(runId('other'), () => Promise.resolve(closing.resolve()));
  await Promise.all([one, two]);
  expect(said.filter((line) => !line.includes('other'))).toEqual([
    'open root 1',
    'closing root 1',
    'close root 1',
    'open root 3',
    'used 3',
    'closing root 3',
    'close root 3',
  ]);
});

test('[U8] a session that cannot be opened fails for all who wait for it, and is tried again by the next', async () => {
  let isReady = false;
  const { said, trees } = talkingSessions({
    open: () => (isReady ? Promise.resolve() : Promise.reject(new Error('away'))),
  });
  const use = (): Promise<void> => trees.use(ROOT, (id) => Promise.resolve(void said.push(`used ${id}`)));
  const failed = await Promise.allSettled([use(), use()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isReady = true;
  await use();
  expect(said).toEqual(['open root 2', 'used 2', 'closing root 2', 'close root 2']);
});
