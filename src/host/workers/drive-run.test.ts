import { expect, test } from 'vitest';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { createEmbeddedHost } from '../embedded/embedded-host.ts';
import type { Host } from '../port.ts';
import { build, end, expression, to, turn, work } from '../testing/build-definition.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { driveRun } from './drive-run.ts';

const AN_HOUR = 3_600_000;
const nap = work('nap', { kind: 'wait', ms: expression(String(AN_HOUR)) }, [to('code')]);
const states = [nap, work('code', turn('coder', "'go'"), [to('stop')]), end('stop')];

test('[U8] a run that has something to do again when it would be left is driven on', async () => {
  const [journal, clock] = [createMemoryJournal(), new ManualClock()];
  const world = testWorld({ journal, clock, answer: () => says('done') });
  const first = createEmbeddedHost(world);
  const run = await first.start({ definition: build({ states }), input: {}, project: '.' });
  await first.shutdown();
  const host = createEmbeddedHost(world);
  const late: Partial<Host> = {
    resume: (...given) => host.resume(...given),
    rest: (...given) => host.rest(...given),
    leave: (...given) => host.leave(...given),
    async nextActivity(...given) {
      const now = await host.nextActivity(...given);
      if (now === 'asleep') clock.advance(AN_HOUR);
      return now;
    },
  };
  await driveRun(late as Host, run, { signal: new AbortController().signal, onIdle: () => undefined });
  expect(await journal.run(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
  await host.shutdown();
});
