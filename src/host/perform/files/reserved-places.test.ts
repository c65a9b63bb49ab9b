import { expect, test } from 'vitest';
import { taskId, treeId } from '../../../core/model/ids.ts';
import { foldRecords } from '../../../core/fold/fold.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { asking } from '../../testing/asking.ts';
import { says, testWorld } from '../../testing/test-world.ts';
import type { EffectContext } from '../../world.ts';
import { Places } from './places.ts';

test('[U8] a workspace that was only looked at is free for others at once; a changed one when its change is durable', async () => {
  const journal = createMemoryJournal();
  const world = testWorld({ journal, answer: () => says('') });
  const host = createEmbeddedHost(world);
  const run = await host.start({ definition: asking('Which?'), input: {}, project: '.' });
  await host.rest(run);
  await host.shutdown();
  const reserved: string[] = [];
  const context = {
    world,
    run,
    snapshot: foldRecords(await journal.read(run)),
    signal: new AbortController().signal,
    note: () => undefined,
    noteNow: () => Promise.resolve(),
    reserve: (name: string) => Promise.resolve(reserved.push(name) > 0),
    unreserve: (name: string) => Promise.resolve(void reserved.splice(reserved.indexOf(name), 1)),
  } as unknown as EffectContext;
  const places = new Places(world);
  const request = (name: string) => ({ name, task: taskId('t1') });
  // Creating a workspace is a change too.
  for (const name of ['b', 'a']) await places.write(context, request(name), () => Promise.resolve());
  reserved.splice(0);
  for (const name of ['b', 'a']) await places.write(context, request(name), () => Promise.resolve());
  expect(reserved).toEqual([]);
  const change = treeId('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
  await places.write(context, request('b'), (writing) => writing.restoreTree(change, { why: 'work' }));
  expect(reserved).toEqual(['b']);
});
