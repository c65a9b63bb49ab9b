import { expect, onTestFinished, test } from 'vitest';
import type { Actor } from '../../../actors/port.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { CLIENT_TRAITS } from '../../testing/stopping-client.ts';
import { says, testWorld } from '../../testing/test-world.ts';

const USED_UP: Failure = { code: 'QUOTA_USED_UP', message: 'Used up.', class: 'quota', retryAfterMs: 3_600_000 };

test('[Q5] a turn that began before the quota was used up and succeeds does not close the breaker', async () => {
  const homes = new Set<string>();
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const call: Actor['call'] = async ({ agent, client }) => {
    homes.add(client?.home ?? '');
    if (agent === 'late') return { kind: 'failed', failure: USED_UP };
    begun.resolve();
    await over.promise;
    return says('done');
  };
  const world = testWorld({ journal: createMemoryJournal(), client: CLIENT_TRAITS, answer: () => says(''), call });
  const host = createEmbeddedHost(world);
  onTestFinished(() => host.shutdown());
  const start = async (agent: string) => {
    const states = [work('code', turn(agent, "'go'"), [to('stop')]), end('stop')];
    return await host.start({ definition: build({ roles: { [agent]: {} }, states }), input: {}, project: '.' });
  };
  const early = await start('early');
  await begun.promise;
  await start('late');
  await expect.poll(() => world.clients?.breakers.refusal('vendor')).toMatchObject({ class: 'quota' });
  over.resolve();
  expect(await host.rest(early)).toMatchObject({ outcome: 'ok' });
  expect(world.clients?.breakers.refusal('vendor')).toMatchObject({ class: 'quota' });
  // Each agent has its own home.
  expect(homes.size).toBe(2);
});
