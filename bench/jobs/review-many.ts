import { join } from 'node:path';
import { peakMemoryMb, report, settings } from '../harness/report.ts';
import { wholeTime } from '../harness/whole-time.ts';
import { reviewHost } from './review-host.ts';
import { makeReviewProject } from './review-project.ts';
import { reviewActor, reviewDefinition } from './review-team.ts';

/** Many reviewed runs at once in one process; how many came out well, and the most memory the process ever had. */
const { folder, runs } = settings() as { folder: string; runs: number };
const project = makeReviewProject(folder);
const { host, close } = await reviewHost(join(folder, 'home'), reviewActor(0));
const definition = await reviewDefinition();

async function one(): Promise<boolean> {
  const run = await host.start({ definition, input: { task: 'Make the feature.' }, project });
  const { outcome } = await host.rest(run);
  return outcome === 'ok';
}

await one();
const oneMb = peakMemoryMb();
let ended = 0;
const { wallMs, cpuMs } = await wholeTime(async () => {
  const all = await Promise.all(Array.from({ length: runs }, () => one()));
  ended = all.filter(Boolean).length;
});
await close();
report({ runs, ended, wallMs, cpuMs, oneMb, manyMb: peakMemoryMb() });
