import { expect, test } from 'vitest';
import type { RunId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { asking } from '../testing/asking.ts';
import { build, each, end, to, work } from '../testing/build-definition.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

test('[U8] a run that is taken up again wakes no unit that waits for a person, or the two would wake each other for ever', async () => {
  const journal = createMemoryJournal();
  const openHost = (owner: string) => {
    const offered: RunId[] = [];
    const offer = (run: RunId): Promise<boolean> => {
      offered.push(run);
      return Promise.resolve(true);
    };
    const world = testWorld({ journal, owner, answer: () => says('') });
    return { offered, host: createEmbeddedHost({ ...world, placement: { offer } }) };
  };
  const jobs = each("['1', '2']", { kind: 'call', workflow: 'asking', workspace: 'own', input: {} }, 2);
  const definition = build({
    library: { asking: { ...asking('Which?').workflow, name: 'asking' } },
    states: [work('jobs', jobs, [to('stop')]), end('stop', "'done'")],
  });
  const first = openHost('first');
  const run = await first.host.start({ definition, input: {}, project: '.' });
  await expect.poll(() => first.offered.length).toBe(2);
  await first.host.shutdown();

  const other = openHost('other');
  for (const unit of first.offered) await other.host.resume(unit);
  for (const unit of first.offered) expect((await other.host.rest(unit)).status).toBe('waiting');
  await other.host.shutdown();

  const again = openHost('again');
  await again.host.resume(run, { keepsPause: true });
  await again.host.rest(run);
  expect(again.offered).toEqual([]);
  await again.host.shutdown();
});
