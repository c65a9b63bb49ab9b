import { expect, test } from 'vitest';
import type { RunId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { build, each, end, to, turn, work } from '../testing/build-definition.ts';
import { testWorld } from '../testing/test-world.ts';
import { untilStopped } from '../testing/until-stopped.ts';
import { createEmbeddedHost } from './embedded-host.ts';

const leaf = build({
  name: 'leaf',
  states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop', "'done'")],
}).workflow;

test('[U8] a unit from the queue comes and goes by itself, also if its run is driven here', async () => {
  const journal = createMemoryJournal();
  const offered: RunId[] = [];
  const offer = (run: RunId): Promise<boolean> => Promise.resolve(offered.push(run) > 0);
  const called: RunId[] = [];
  const { answer } = untilStopped();
  const world = testWorld({
    journal,
    answer: (request, signal) => {
      called.push(request.run);
      return answer(request, signal);
    },
  });
  const host = createEmbeddedHost({ ...world, placement: { offer } });
  const jobs = each("['1', '2']", { kind: 'call', workflow: 'leaf', workspace: 'own', input: {} }, 2);
  const states = [work('jobs', jobs, [to('stop')]), end('stop', "'done'")];
  const run = await host.start({ definition: build({ library: { leaf }, states }), input: {}, project: '.' });
  await expect.poll(() => offered.length).toBe(2);
  for (const unit of offered) await host.resume(unit, { keepsPause: true });
  await expect.poll(() => called.length).toBe(2);

  // The units work in their own slots: the run itself needs none.
  expect(await host.nextActivity(run, 'at work')).toBe('idle');
  const driven = async () => (await journal.runs({ root: run })).filter((one) => one.driven).map((one) => one.run);
  expect((await driven()).toSorted()).toEqual([run, ...offered].toSorted());
  const [first, second] = offered;
  if (first === undefined || second === undefined) throw new Error('There are two units.');
  await host.leave(first);
  expect((await driven()).toSorted()).toEqual([run, second].toSorted());
  await host.leave(run);
  expect(await driven()).toEqual([second]);
  await host.shutdown();
});
