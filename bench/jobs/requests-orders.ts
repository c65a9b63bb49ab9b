import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { generatedRun, readSome } from '../../test/requests/generated-run.ts';
import { report, settings } from '../harness/report.ts';
import { benchHost } from './world.ts';

/**
 * Whether every request of generated runs holds its order, with conversations of up to twenty times the window.
 * Alone: node bench/jobs/requests-orders.ts '{"runs":2000}'
 */
const { runs } = settings() as { runs: number };

/** The same numbers every time. */
let state = 7;
const random = (): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return state / 2_147_483_648;
};

const ends: Record<string, number> = {};
const found = { requests: 0, withOrder: 0, withFirstOrder: 0, within: 0, largest: 0 };
for (let run = 0; run < runs; run += 1) {
  const window = 4000 + Math.floor(random() * 46_000);
  const { definition, actor, seen } = generatedRun(random, window);
  const host = benchHost(createMemoryJournal(), actor, { tools: [readSome] });
  // A run that only reads is stopped after two compactions without progress: what it sent counts all the same.
  const rest = await host.rest(await host.start({ definition, input: {}, project: '/' }));
  const why = rest.failure?.code ?? rest.outcome ?? rest.status;
  ends[why] = (ends[why] ?? 0) + 1;
  await host.shutdown();
  for (const { hasOrder, hasFirstOrder, characters } of seen) {
    found.requests += 1;
    found.withOrder += Number(hasOrder);
    found.withFirstOrder += Number(hasFirstOrder);
    found.within += Number(characters <= window);
    found.largest = Math.max(found.largest, characters / window);
  }
}
report({ ...found, ends });
