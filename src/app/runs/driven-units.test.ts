import { expect, test } from 'vitest';
import type { RunId } from '../../core/model/ids.ts';
import { createEmbeddedHost } from '../../host/embedded/embedded-host.ts';
import { asking } from '../../host/testing/asking.ts';
import { build, each, end, to, work } from '../../host/testing/build-definition.ts';
import { says, testWorld } from '../../host/testing/test-world.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { pauseRun } from './pause-run.ts';
import type { Session } from './session.ts';

/** A run that no process drives, whose only unit asks something and is driven by a worker. */
async function drivenUnit() {
  const journal = createMemoryJournal();
  const worldOf = (owner: string) => testWorld({ journal, owner, answer: () => says('') });
  const first = createEmbeddedHost({ ...worldOf('first'), placement: { offer: () => Promise.resolve(true) } });
  const jobs = each("['1']", { kind: 'call', workflow: 'asking', workspace: 'own', input: {} }, 1);
  const definition = build({
    library: { asking: { ...asking('Which?').workflow, name: 'asking' } },
    states: [work('jobs', jobs, [to('stop')]), end('stop', "'done'")],
  });
  const run = await first.start({ definition, input: {}, project: '.' });
  const units = (): Promise<readonly RunId[]> =>
    journal.runs({ parent: run }).then((all) => all.map((info) => info.run));
  await expect.poll(units).toHaveLength(1);
  await first.shutdown();
  const [unit] = await units();
  if (unit === undefined) throw new Error('There is one unit.');
  const worker = createEmbeddedHost(worldOf('worker'));
  await worker.resume(unit);
  await worker.rest(unit);
  const world = worldOf('laptop');
  return { journal, run, unit, worker, world, host: createEmbeddedHost(world) };
}

test('[U8] an answer to a unit that a worker drives reaches it, also where someone holds its run', async () => {
  const { journal, run, unit, worker, host } = await drivenUnit();
  const held = await host.hold(run);
  expect(await host.answer(run, { answer: 'this one', by: 'ann' })).toBe('sent');
  await held.release();
  await expect.poll(async () => (await journal.run(unit))?.status).toBe('settled');
  await worker.shutdown();
});

test('[U8] a run that no process drives is paused together with the unit that a worker drives', async () => {
  const { journal, run, unit, worker, host, world } = await drivenUnit();
  const info = await journal.run(run);
  if (info === undefined) throw new Error('There is a run.');
  const session = { host, world, store: { journal }, by: 'ann' } as unknown as Session;
  expect(await pauseRun(session, info, 'enough for today')).toBe(true);
  for (const one of [run, unit])
    expect((await host.snapshot(one)).held).toMatchObject({ by: 'ann', reason: 'enough for today' });
  await worker.shutdown();
});
