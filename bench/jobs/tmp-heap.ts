import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { loopModel } from '../workload.ts';
import { loopActor, teamDefinition } from './team.ts';
import { benchHost, expectSettled } from './world.ts';
import { writeHeapSnapshot } from 'node:v8';
const turns = Number(process.argv[2]);
const definition = teamDefinition(turns);
const gc = globalThis.gc as () => void;
async function go(keep: boolean) {
  const model = loopModel(turns);
  const journal = createMemoryJournal();
  const base = loopActor(model);
  let n = 0;
  gc(); const before = process.memoryUsage().heapUsed;
  const actor = { ...base, async call(r: any, o: any) { n += 1; if (n === turns - 2 && keep) { gc(); console.log('mid-run retained per turn', (process.memoryUsage().heapUsed - before) / turns); if (process.argv[3]) writeHeapSnapshot(process.argv[3]); } return base.call(r, o); } };
  const host = benchHost(journal, actor);
  const id = await host.start({ definition, input: { task: 'Write a parser.' }, project: '/' });
  expectSettled(await host.rest(id));
  await host.shutdown();
  gc(); console.log('after per turn', (process.memoryUsage().heapUsed - before) / turns);
  const r = await journal.read(id);
  console.log(r.length, JSON.stringify(r.slice(3, 14), null, 0), JSON.stringify(r).length / turns);
}
await go(false); await go(true);
