import { setTimeout as delay } from 'node:timers/promises';
import type { RunId } from '../../src/core/model/ids.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import type { TreeRecord } from '../../src/journal/port.ts';
import { clusterProject } from '../harness/cluster-runs.ts';
import { startModel } from '../harness/model-counter.ts';
import { report, settings } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';
import { WorkerFleet, type FleetWorker } from '../harness/worker-fleet.ts';

/**
 * Workers die or freeze again and again while they drive runs with units. What was finished must not be asked of the model again, no
 * unit may be lost, and others have to go on soon.
 */
const { url, folder, blows, signal, paceMs, workers, trees, modelMs } = settings() as {
  url: string;
  folder: string;
  blows: number;
  signal: 'SIGKILL' | 'SIGSTOP';
  /** Between two blows, on average. */
  paceMs: number;
  workers: number;
  /** Under way at once. */
  trees: number;
  modelMs: number;
};
const UNITS = 4;
const TURNS = 3;
const FROZEN_MS = 7000;

const journal = await openPostgresJournal({ address: url });
const model = await startModel(modelMs);
const project = clusterProject(folder, { journal: url, model: model.url, shape: { units: UNITS, turns: TURNS } });
const fleet = new WorkerFleet({ folder, slots: 4 });
for (let count = 0; count < workers; count += 1) await fleet.start();

const done: RunId[] = [];
const struck: { readonly worker: string; readonly at: number }[] = [];
const ending = new AbortController();
const feeders = Array.from({ length: trees }, (_, lane) => feed(lane));
await strike();
ending.abort();
await Promise.all(feeders);
const found = await Promise.all(done.map((root) => journal.tree(root, 0)));
await fleet.close();
model.close();
const delays = found.flatMap((records) => takeovers(records)).toSorted((a, b) => a - b);
report({
  blows: struck.length,
  trees: done.length,
  calls: found.flat().filter(({ fact }) => fact.kind === 'call.answered').length,
  asked: [...model.asked.values()].reduce((sum, times) => sum + times.length, 0),
  repeated: found.reduce((sum, records) => sum + repeated(records), 0),
  lost: found.reduce((sum, records) => sum + lost(records), 0),
  takeovers: delays.length,
  takeoverMs: median(delays),
  p95Ms: delays[Math.floor(delays.length * 0.95)] ?? null,
  longestMs: delays.at(-1) ?? null,
});
await journal.close();

/** One tree after the other until it is over. */
async function feed(lane: number): Promise<void> {
  for (let round = 0; !ending.signal.aborted; round += 1) {
    const run = await project.beginTree(`lane ${lane} tree ${round}`);
    while ((await journal.run(run))?.status !== 'settled') await delay(100);
    done.push(run);
  }
}

async function strike(): Promise<void> {
  for (let count = 0; count < blows; count += 1) {
    await delay(paceMs * (0.5 + Math.random()));
    while (fleet.live.length <= workers / 2) await delay(10);
    const victim = fleet.live[Math.floor(Math.random() * fleet.live.length)];
    if (victim === undefined) throw new Error('No worker is left.');
    struck.push({ worker: victim.name, at: Date.now() });
    await (signal === 'SIGKILL' ? replace(victim) : freeze(victim));
  }
}

async function replace(victim: FleetWorker): Promise<void> {
  await fleet.kill(victim, 'SIGKILL');
  void fleet.start();
}

/** Long enough that others take its runs; then it wakes up among them. */
async function freeze(victim: FleetWorker): Promise<void> {
  victim.child.kill('SIGSTOP');
  await delay(FROZEN_MS);
  victim.child.kill('SIGCONT');
}

/** How long each run of a struck worker stood until somebody else wrote the next record. */
function takeovers(records: readonly TreeRecord[]): readonly number[] {
  const runs = Map.groupBy(records, ({ run }) => run);
  return struck.flatMap(({ worker, at }) =>
    [...runs.values()].flatMap((own) => {
      const before = own.filter((record) => record.at <= at);
      const driver = before.findLast(({ fact }) => fact.kind === 'run.resumed')?.fact;
      const isOfVictim = driver?.kind === 'run.resumed' && driver.worker === worker;
      const next = own.find((record) => record.at > at && record.fact.kind === 'run.resumed');
      return isOfVictim && next !== undefined && before.length < own.length ? [next.at - at] : [];
    }),
  );
}

/** Requests that came after the journal had the answer to the same. */
function repeated(records: readonly TreeRecord[]): number {
  return [...Map.groupBy(records, ({ run }) => run).values()].reduce((sum, own) => {
    const begun = own[0]?.fact;
    const step = begun?.kind === 'run.started' ? begun.input['step'] : null;
    const id = typeof step === 'string' ? step : '';
    const answers = own.filter(({ fact }) => fact.kind === 'call.answered');
    return sum + answers.reduce((count, { at }, index) => count + askedAfter(`${id} turn ${index + 1}`, at), 0);
  }, 0);
}

function askedAfter(key: string, at: number): number {
  const times = model.asked.get(key);
  if (times === undefined) throw new Error(`Nobody asked for ${key}.`);
  return times.filter((time) => time > at).length;
}

/** Units that did not come out once and well, and turns that were not answered once. */
function lost(records: readonly TreeRecord[]): number {
  const settled = records.filter(({ fact }) => fact.kind === 'run.settled' && fact.outcome === 'ok').length;
  const answered = records.filter(({ fact }) => fact.kind === 'call.answered').length;
  return Math.abs(UNITS + 1 - settled) + Math.abs(UNITS * TURNS - answered);
}
