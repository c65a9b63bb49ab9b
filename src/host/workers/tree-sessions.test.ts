import { expect, test } from 'vitest';
import { runId } from '../../core/ids.ts';
import { TreeSessions } from './tree-sessions.ts';

const ROOT = runId('root');

/** Sessions that say when they open and close. */
function talkingSessions(open: () => Promise<void> = () => Promise.resolve()) {
  const said: string[] = [];
  let count = 0;
  const trees = new TreeSessions<number>(async (root, work) => {
    const id = (count += 1);
    await open();
    said.push(`open ${root} ${id}`);
    await work(id);
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
  expect(said).toEqual(['open root 1', 'close root 1']);
});

test('[U8] who comes while a session closes waits for that, and gets a new one', async () => {
  const { said, trees } = talkingSessions();
  const one = trees.use(ROOT, () => Promise.resolve());
  await expect.poll(() => said).toContain('open root 1');
  await Promise.all([one, trees.use(runId('other'), () => Promise.resolve())]);
  await trees.use(ROOT, (id) => Promise.resolve(void said.push(`used ${id}`)));
  expect(said.filter((line) => !line.includes('other'))).toEqual([
    'open root 1',
    'close root 1',
    'open root 3',
    'used 3',
    'close root 3',
  ]);
});

test('[U8] a session that cannot be opened fails for all who wait for it, and is tried again by the next', async () => {
  let isReady = false;
  const { said, trees } = talkingSessions(() => (isReady ? Promise.resolve() : Promise.reject(new Error('away'))));
  const use = (): Promise<void> => trees.use(ROOT, (id) => Promise.resolve(void said.push(`used ${id}`)));
  const failed = await Promise.allSettled([use(), use()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isReady = true;
  await use();
  expect(said).toEqual(['open root 2', 'used 2', 'close root 2']);
});
