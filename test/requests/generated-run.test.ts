import { expect, test } from 'vitest';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { generatedRun, readSome, type SeenRequest } from './generated-run.ts';

const RUNS = 60;

test('[A1] [A6] with up to twenty windows of text every request holds its orders and fits the window', async () => {
  let state = 11;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const bad: (SeenRequest & { readonly window: number })[] = [];
  let requests = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const window = 4000 + Math.floor(random() * 46_000);
    const { definition, actor, seen } = generatedRun(random, window);
    const world = testWorld({
      journal: createMemoryJournal(),
      answer: () => Promise.reject(new Error('Not asked.')),
      tools: [readSome],
    });
    const host = createEmbeddedHost({ ...world, actorFor: () => Promise.resolve(actor) });
    const rest = await host.rest(await host.start({ definition, input: {}, project: '/' }));
    await host.shutdown();
    expect(rest.outcome).toBe('ok');
    requests += seen.length;
    bad.push(
      ...seen
        .filter(({ hasOrder, hasFirstOrder, characters }) => !hasOrder || !hasFirstOrder || characters > window)
        .map((one) => ({ ...one, window })),
    );
  }
  expect(requests).toBeGreaterThan(RUNS * 5);
  expect(bad).toEqual([]);
});
