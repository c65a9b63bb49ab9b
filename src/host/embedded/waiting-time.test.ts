import { expect, test } from 'vitest';
import type { Definition } from '../../core/model/definition.ts';
import { runTime } from '../../core/fold/work-clock.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { asking } from '../testing/asking.ts';
import { build, end, to, work } from '../testing/build-definition.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

/** A run that calls one that calls one that asks a person. */
function nested(): Definition {
  const calling = (workflow: string): Definition =>
    build({
      states: [work('call', { kind: 'call', workflow, input: {} }, [to('stop')]), end('stop')],
    });
  const library = { leaf: asking('Which?').workflow, middle: calling('leaf').workflow };
  return { ...calling('middle'), library };
}

test.for(['the same process', 'another process'] as const)(
  '[L10] [R4] a run two levels above a question waits with it and has its time left, answered by %s',
  async (who) => {
    const journal = createMemoryJournal();
    const clock = new ManualClock();
    const world = () => testWorld({ journal, clock, answer: () => says('') });
    const asker = createEmbeddedHost(world());
    const options = { definition: nested(), input: {}, project: '.', limits: { durationMs: 5000 } };
    const run = await asker.start(options);
    const { questions } = await asker.rest(run);
    expect(questions).toHaveLength(1);
    if (who === 'another process') await asker.shutdown();
    clock.advance(3_600_000);
    const answerer = who === 'another process' ? createEmbeddedHost(world()) : asker;
    if (who === 'another process') await answerer.resume(run);
    await answerer.answer(run, { answer: 'red', by: 'ann' });
    expect(await answerer.rest(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
    const { clock: times } = await answerer.snapshot(run);
    expect(runTime(times, clock.now())).toEqual({ workedMs: 0, waitedMs: 3_600_000, pausedMs: 0 });
    await answerer.shutdown();
  },
);
