import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { report, settings } from '../harness/report.ts';
import { WebRun } from './web-run.ts';

/** So many live runs, each with so many records a second, for so long. Tells when all of them have begun. */
const { home, runs, perSecond, seconds } = settings() as Record<string, number> & { home: string };

const journal = await openSqliteJournal({ home });
const live: WebRun[] = [];
for (let run = 0; run < (runs ?? 0); run += 1) live.push(await WebRun.begin(journal, `live-${run}`));
report({ runs: live.length });

const everyMs = 1000 / (perSecond ?? 1);
const began = performance.now();
const rounds = (seconds ?? 0) * (perSecond ?? 1);
await Promise.all(live.map((run, index) => write(run, (index * everyMs) / live.length)));
report({ written: rounds * live.length });
await journal.close();

/** Each at its own moment, as runs that know nothing of each other do. */
async function write(run: WebRun, offsetMs: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await sleep(Math.max(0, began + offsetMs + round * everyMs - performance.now()));
    await run.add(1);
  }
}
