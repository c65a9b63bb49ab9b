import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { report, settings } from '../harness/report.ts';
import { IMPLEMENTERS, MODEL_MS, REVIEWERS } from '../workload.ts';
import { reportFanout, slowModel } from './fanout-measure.ts';

/** The fan-out by hand, which writes as many bytes in as many appends as Troupe; appends of one turn of the event loop share a transaction. */
const { runs, folder, transactions, textBytes } = settings() as {
  runs: number;
  folder: string;
  transactions: number;
  textBytes: number;
};

const database = new DatabaseSync(join(folder, 'bare.db'));
database.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE events (id INTEGER PRIMARY KEY, body TEXT)',
);
const begin = database.prepare('BEGIN IMMEDIATE');
const insert = database.prepare('INSERT INTO events (body) VALUES (?)');
const commit = database.prepare('COMMIT');
const filler = 'x'.repeat(Math.round(textBytes / transactions) - 8);
let waiting: (() => void)[] = [];

function append(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(resolve);
  });
}

function flush(): void {
  const group = waiting;
  waiting = [];
  begin.run();
  for (let index = 0; index < group.length; index += 1) insert.run(`${String(index).padStart(8)}${filler}`);
  commit.run();
  for (const resolve of group) resolve();
}

/** Whatever a run appends besides the answers comes before the first and after the last of them. */
const perRun = Math.max(1, Math.round(transactions / runs) - IMPLEMENTERS.length - REVIEWERS.length);

async function speak(who: string): Promise<void> {
  await slowModel(who, MODEL_MS);
  await append();
}

async function one(): Promise<void> {
  for (let index = 0; index < perRun; index += 1) await append();
  await Promise.all(IMPLEMENTERS.map(speak));
  await Promise.all(REVIEWERS.map(speak));
}

report({ ...(await reportFanout(runs, one)) });
database.close();
