import { expect, test } from 'vitest';
import { createEmbeddedHost } from '../../host/embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../host/testing/build-definition.ts';
import { says, testWorld } from '../../host/testing/test-world.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { NO_ACTORS } from '../config/choose-actor.ts';
import { EMPTY_CONFIG, type Config } from '../config/config.ts';
import { requestLines } from './trace-requests.ts';

test('[A3] requests are built again only when a record was added or the settings changed', async () => {
  const journal = createMemoryJournal();
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let calls = 0;
  const world = testWorld({
    journal,
    answer: async () => {
      const call = calls++;
      asked[call]?.resolve();
      await answers[call]?.promise;
      return says('I counted.');
    },
  });
  const host = createEmbeddedHost(world);
  const definition = build({
    states: [
      work('one', turn('coder', "'Count to three.'"), [to('two')]),
      work('two', turn('coder', "'And now backwards.'"), [to('stop')]),
      end('stop'),
    ],
  });
  const run = await host.start({ definition, input: {}, project: '/' });
  const look = (config: Config = EMPTY_CONFIG) =>
    requestLines({ home: 'a home', journal }, run, {
      world,
      actors: { config, overrides: {}, cast: NO_ACTORS, environment: {} },
      journal,
    });
  await asked[0]?.promise;
  const first = await look();
  expect(first).toMatchObject([{ number: 1, answeredSeq: null }]);
  expect(await look()).toBe(first);
  answers[0]?.resolve();
  await asked[1]?.promise;
  const second = await look();
  expect(second).toMatchObject([{ number: 1, answeredSeq: expect.any(Number) as number }, { number: 2 }]);
  answers[1]?.resolve();
  await host.rest(run);
  await host.shutdown();
  const last = await look();
  expect(last).not.toBe(second);
  expect(await look()).toBe(last);
  const config = { name: 'own', provider: 'anthropic', model: 'own-1', baseUrl: 'http://127.0.0.1:9' } as const;
  const own = await look({ ...EMPTY_CONFIG, models: { base: { kind: 'api', config, apiKeyEnv: null } } });
  expect(own).toMatchObject([{ model: 'own-1' }, { model: 'own-1' }]);
});

test('[A3] the requests of a growing run are each built at most twice, and come to the same as all at once', async () => {
  const journal = createMemoryJournal();
  const steps = 12;
  const asked = Array.from({ length: steps }, () => Promise.withResolvers<void>());
  const answers = Array.from({ length: steps }, () => Promise.withResolvers<void>());
  let calls = 0;
  const world = testWorld({
    journal,
    answer: async () => {
      const call = calls++;
      asked[call]?.resolve();
      await answers[call]?.promise;
      return says(`I counted to ${call}. ${'And on. '.repeat(600)}`);
    },
  });
  const host = createEmbeddedHost(world);
  const name = (step: number): string => (step === steps ? 'stop' : `step_${step}`);
  const states = Array.from({ length: steps }, (_, step) =>
    work(name(step), turn('coder', "'Count on.'"), [to(name(step + 1))]),
  );
  const run = await host.start({ definition: build({ states: [...states, end('stop')] }), input: {}, project: '/' });
  let built = 0;
  const place = {
    world,
    actors: { config: EMPTY_CONFIG, overrides: {}, cast: NO_ACTORS, environment: {} },
    get journal() {
      built += 1;
      return journal;
    },
  };
  for (const step of answers.keys()) {
    await asked[step]?.promise;
    expect(await requestLines({ home: 'growing', journal }, run, place)).toHaveLength(step + 1);
    answers[step]?.resolve();
  }
  await host.rest(run);
  await host.shutdown();
  const lines = await requestLines({ home: 'growing', journal }, run, place);
  expect(built).toBeLessThanOrEqual(2 * steps);
  expect(lines).toEqual(await requestLines({ home: 'at once', journal }, run, place));
  expect(Math.max(...lines.map(({ cache }) => cache.predicted))).toBeGreaterThan(0.5);
});
