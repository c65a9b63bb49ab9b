import { expect, test } from 'vitest';
import { runTime } from '../../core/fold/work-clock.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { build, end, expression, to, turn, work } from '../testing/build-definition.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

const AN_HOUR = 3_600_000;

function sleeping(states: Parameters<typeof build>[0]['states']) {
  const journal = createMemoryJournal();
  const clock = new ManualClock();
  const host = createEmbeddedHost(testWorld({ journal, clock, answer: () => says('done') }));
  const begin = (limits = {}) => host.start({ definition: build({ states }), input: {}, project: '.', limits });
  return { journal, clock, host, begin };
}

const napFor = (ms: number) => [work('nap', { kind: 'wait', ms: expression(String(ms)) }, [to('stop')]), end('stop')];

test('[U8] a run that sleeps is left with the time when it wakes; the time that it slept is its own', async () => {
  const { journal, clock, host, begin } = sleeping(napFor(AN_HOUR));
  const run = await begin();
  expect(await host.nextActivity(run, 'at work')).toBe('asleep');
  const until = clock.now() + AN_HOUR;
  await host.leave(run);
  expect(await journal.run(run)).toMatchObject({ status: 'running', driven: false, wakesAt: until });
  clock.advance(AN_HOUR + 5000);
  await host.resume(run);
  expect(await journal.run(run)).not.toHaveProperty('wakesAt');
  clock.advance(0);
  await expect(host.rest(run)).resolves.toMatchObject({ outcome: 'ok' });
  const { clock: times } = await host.snapshot(run);
  // No process drove it for the last five seconds.
  expect(runTime(times, clock.now())).toEqual({ workedMs: AN_HOUR, waitedMs: 0, pausedMs: 5000 });
  await host.shutdown();
});

test('[U8] a run that sleeps wakes when its time is up, if that is earlier', async () => {
  const { journal, clock, host, begin } = sleeping(napFor(2 * AN_HOUR));
  const run = await begin({ durationMs: AN_HOUR });
  await host.nextActivity(run, 'at work');
  await host.leave(run);
  expect(await journal.run(run)).toMatchObject({ wakesAt: clock.now() + AN_HOUR });
  clock.advance(AN_HOUR);
  await host.resume(run);
  clock.advance(0);
  expect(await host.rest(run)).toMatchObject({ status: 'paused', failure: { class: 'limit' } });
  await host.shutdown();
});

test('[U8] a run that waits for a few seconds, or works, does not sleep', async () => {
  for (const states of [napFor(5000), [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')]]) {
    const { journal, host, begin } = sleeping(states);
    const run = await begin();
    await host.leave(run);
    expect(await journal.run(run)).not.toHaveProperty('wakesAt');
    await host.shutdown();
  }
});

test('[U8] a run that was taken before its time, as by a clock that is ahead, is kept until then unless a message arrived', async () => {
  const { journal, clock, host, begin } = sleeping(napFor(AN_HOUR));
  const run = await begin();
  const wakesAt = clock.now() + AN_HOUR;
  const activity = () => host.nextActivity(run, 'at work');
  expect(await activity()).toBe('asleep');
  await host.leave(run);
  await host.resume(run);
  expect(await activity()).toBe('idle');
  await host.leave(run);
  expect(await journal.run(run)).toMatchObject({ wakesAt });
  await journal.send(run, { id: 'm1', at: 1, body: { kind: 'tell', agent: 'coder', text: 'Hello', by: 'ann' } });
  await host.resume(run);
  expect(await activity()).toBe('asleep');
  await host.shutdown();
});
