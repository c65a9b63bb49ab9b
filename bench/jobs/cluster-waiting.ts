import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { clusterProject } from '../harness/cluster-runs.ts';
import { LiveHeap } from '../harness/live-heap.ts';
import { startModel } from '../harness/model-counter.ts';
import { report, settings } from '../harness/report.ts';
import { WorkerFleet } from '../harness/worker-fleet.ts';

/** Many runs that wait for people: what they cost the worker that drove them there, and what it asks the database meanwhile. */
const { url, folder, runs } = settings() as { url: string; folder: string; runs: number };

const EACH = 50;
const WATCHED_MS = 10_000;
const SETTLED_MS = 20_000;

const journal = await openPostgresJournal({ address: url });
const client = new pg.Client({ connectionString: url });
await client.connect();
const model = await startModel(0);
const shape = { units: EACH, turns: 0, asks: true };
const project = clusterProject(folder, { journal: url, model: model.url, shape });
const fleet = new WorkerFleet({ folder, slots: 8 });
const worker = await fleet.start(['--inspect=127.0.0.1:0']);
const heap = await LiveHeap.of(worker.inspector);
// Discarded: everything is loaded.
await waiting(EACH);
const [before, few] = [await heap.megabytes(), await transactions()];
await waiting(runs + EACH);
const [after, all] = [await heap.megabytes(), await transactions()];
await fleet.close();
await Promise.all([journal.close(), client.end()]);
model.close();
report({ kilobytes: ((after - before) * 1024) / runs, few, all });

/** Until so many units wait for an answer, and the worker has nothing left to do. */
async function waiting(count: number): Promise<void> {
  for (let begun = await reached(); begun < count; begun += EACH) {
    await project.beginTree(`lane 0 tree ${begun}`);
  }
  while ((await reached()) < count || (await atWork()) > 0) await delay(200);
}

/** Runs that are queued or driven: a run that asks at once waits before a worker has had it. */
async function atWork(): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select (select count(*) from troupe.runs where worker is not null)
      + (select count(*) from dbos.workflow_status where status in ('ENQUEUED', 'DELAYED', 'PENDING')) as count`,
  );
  return Number(rows[0]?.count);
}

async function reached(): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    "select count(*) from troupe.runs where status = 'waiting' and parent is not null",
  );
  return Number(rows[0]?.count);
}

/** A second, of everybody who uses the database. */
async function transactions(): Promise<number> {
  const read = async (): Promise<number> => {
    const { rows } = await client.query<{ done: string }>(
      'select xact_commit as done from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.done);
  };
  // The server counts the last transactions of a connection up to ten seconds late.
  await delay(SETTLED_MS);
  const start = await read();
  await delay(WATCHED_MS);
  return ((await read()) - start) / (WATCHED_MS / 1000);
}
