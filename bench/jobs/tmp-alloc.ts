import { Session } from 'node:inspector/promises';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { loopModel } from '../workload.ts';
import { loopActor, teamDefinition } from './team.ts';
import { benchHost, expectSettled } from './world.ts';
const turns = Number(process.argv[2]);
const definition = teamDefinition(turns);
async function go() {
  const model = loopModel(turns);
  const host = benchHost(createMemoryJournal(), loopActor(model));
  const id = await host.start({ definition, input: { task: 'Write a parser.' }, project: '/' });
  expectSettled(await host.rest(id));
  await host.shutdown();
}
for (let i = 0; i < 20; i++) await go();
const s = new Session(); s.connect();
await s.post('HeapProfiler.startSampling', { samplingInterval: 4096, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true } as any);
const runs = 10;
for (let i = 0; i < runs; i++) await go();
const { profile } = await s.post('HeapProfiler.stopSampling') as any;
const agg = new Map<string, number>(); let tot = 0;
(function walk(n: any) { const c = n.callFrame; const k = `${c.functionName || '(anon)'} ${c.url.split('/').slice(-2).join('/')}:${c.lineNumber + 1}`; agg.set(k, (agg.get(k) ?? 0) + n.selfSize); tot += n.selfSize; n.children.forEach(walk); })(profile.head);
console.log('bytes per turn', tot / turns / runs);
for (const [k, t] of [...agg].sort((a, b) => b[1] - a[1]).slice(0, 40)) console.log((t / turns / runs).toFixed(0).padStart(6), k);
