import { setTimeout as delay } from 'node:timers/promises';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { clusterProject } from '../harness/cluster-runs.ts';
import { startModel } from '../harness/model-counter.ts';
import { report, settings } from '../harness/report.ts';
import { WorkerFleet } from '../harness/worker-fleet.ts';

/** The units of one run on several workers, each with a model that thinks for a while, beside the time that thinking takes alone. */
const { url, folder, workers, slots, units, modelMs } = settings() as {
  url: string;
  folder: string;
  workers: number;
  slots: number;
  units: number;
  modelMs: number;
};

const journal = await openPostgresJournal({ address: url });
const model = await startModel(modelMs);
const shape = { units, turns: 1 };
const project = clusterProject(folder, { journal: url, model: model.url, shape });
const fleet = new WorkerFleet({ folder, slots });
for (let count = 0; count < workers; count += 1) await fleet.start();
// Once before, so that every worker has made its first workspace.
await wallOf(0);
const { wallMs, drivers } = await wallOf(1);
await fleet.close();
await journal.close();
model.close();
const idealMs = Math.ceil(units / (workers * slots)) * modelMs;
report({ wallMs, idealMs, ratio: wallMs / idealMs, drivers });

/** From the first record of a worker to the last one of the run. */
async function wallOf(lane: number) {
  const run = await project.begin(`lane ${lane} tree 0`);
  while ((await journal.run(run))?.status !== 'settled') await delay(50);
  const records = await journal.tree(run, 0);
  const taken = records.filter(({ fact }) => fact.kind === 'run.resumed');
  const begun = records.find(({ run: id, fact }) => id === run && fact.kind === 'run.resumed')?.at ?? Number.NaN;
  const asked = new Set(taken.flatMap(({ fact }) => (fact.kind === 'run.resumed' ? (fact.worker ?? []) : [])));
  return { wallMs: (records.at(-1)?.at ?? Number.NaN) - begun, drivers: asked.size };
}
