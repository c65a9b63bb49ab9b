import manifest from '../../package.json' with { type: 'json' };
import type { JournalRecord } from '../../src/core/record/fact.ts';
import { childRunId, runId, taskId, type RunId } from '../../src/core/model/ids.ts';
import type { NewRun } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { keepFigures } from '../../src/app/observers/metrics/kept-figures.ts';
import { report, settings } from '../harness/report.ts';

/**
 * Copies the only run of a home until the home has `runs` root runs, a second apart. Every tenth copy has a child run.
 * Alone: node bench/jobs/many-runs-fill.ts '{"home":"…","runs":10000}'
 */
const { home, runs } = settings() as { home: string; runs: number };
const { version } = manifest;
const AT_ONCE = 500;
const OWNER = 'bench';

const journal = await openSqliteJournal({ home });
const [pattern] = await journal.runs({ parent: null });
if (pattern === undefined) throw new Error(`Start one run in ${home} first: it is the pattern of the others.`);
const records = await journal.read(pattern.run);
let written = records.length;
for (let first = 1; first < runs; first += AT_ONCE) {
  const names = Array.from({ length: Math.min(AT_ONCE, runs - first) }, (_, index) => first + index);
  // Submitted together, they share one transaction.
  await Promise.all(names.map(copyRun));
}
// As the process that drives a run does at its end.
for (const { run } of await journal.runs({ parent: null })) await keepFigures({ home, journal, version }, run);
await journal.close();
report({ runs, records: written });

async function copyRun(index: number): Promise<void> {
  const run = runId(`bench-${index}`);
  await copy(run, null, index);
  if (index % 10 === 0) await copy(childRunId(run, taskId('t1')), run, index);
}

async function copy(run: RunId, parent: RunId | null, index: number): Promise<void> {
  const shift = index * 1000;
  const { workflow, project, title, at, status, outcome } = pattern as NewRun & typeof pattern;
  const own = records.map(({ seq, at: then, fact }): JournalRecord => ({
    seq,
    at: then - shift,
    fact: fact.kind === 'run.started' ? { ...fact, run, parent } : fact,
  }));
  written += own.length;
  const header = { run, parent, workflow, project, title, at: at - shift };
  const lease = await journal.create(header, OWNER, { records: own, summary: { status, outcome } });
  await journal.release(lease);
}
