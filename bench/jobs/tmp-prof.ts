import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { loopModel } from '../workload.ts';
import { loopActor, teamDefinition } from './team.ts';
import { benchHost, expectSettled } from './world.ts';
const turns = Number(process.argv[2]); const runs = Number(process.argv[3]);
const definition = teamDefinition(turns);
const times = [];
for (let i = 0; i < runs; i++) {
  const t = performance.now();
  const model = loopModel(turns);
  const host = benchHost(createMemoryJournal(), loopActor(model));
  const id = await host.start({ definition, input: { task: 'Write a parser.' }, project: '/' });
  expectSettled(await host.rest(id));
  await host.shutdown();
  times.push(((performance.now() - t) * 1000 / turns).toFixed(1));
}
console.log(times.join(' '));
