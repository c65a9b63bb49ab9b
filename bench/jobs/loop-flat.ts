import type { Actor } from '../../src/actors/port.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { report } from '../harness/report.ts';
import { loopModel } from '../workload.ts';
import { loopActor, teamDefinition } from './team.ts';
import { benchHost, expectSettled } from './world.ts';

/** Within runs of 1,100 turns: what a turn costs around the 100th and around the 1,000th. The actor does not look at the conversation. */
const TURNS = 1100;
const WIDTH = 100;
const MARKS = [50, 950] as const;
const WARM_UP_MS = 1000;
const MEASURED_MS = 2000;

const definition = teamDefinition(TURNS);
const spent: [number, number] = [0, 0];
let runs = 0;

async function run(isCounted: boolean): Promise<void> {
  const model = loopModel(TURNS);
  const blind = loopActor(model, true);
  const at = new Map<number, number>();
  const actor: Actor = {
    kind: 'bench',
    call(request, options) {
      if (model.turns % 50 === 0) at.set(model.turns, performance.now());
      return blind.call(request, options);
    },
  };
  const host = benchHost(createMemoryJournal(), actor);
  const id = await host.start({ definition, input: { task: 'Write a parser.' }, project: '/' });
  expectSettled(await host.rest(id));
  await host.shutdown();
  if (!isCounted) return;
  runs += 1;
  for (const index of [0, 1] as const) {
    spent[index] += (at.get(MARKS[index] + WIDTH) ?? Number.NaN) - (at.get(MARKS[index]) ?? Number.NaN);
  }
}

const warmAt = performance.now() + WARM_UP_MS;
while (performance.now() < warmAt) await run(false);
const until = performance.now() + MEASURED_MS;
while (performance.now() < until) await run(true);
const [earlyUs, lateUs] = spent.map((ms) => (ms * 1000) / (runs * WIDTH));
report({ earlyUs, lateUs, runs });
