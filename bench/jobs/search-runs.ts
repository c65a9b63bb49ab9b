import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { searchRuns } from '../../src/app/views/search-runs.ts';
import { report, settings } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';

/** Searches a home for a word that many runs have, until a page is full. */
const { home, text } = settings() as { home: string; text: string };
const ROUNDS = 5;

const journal = await openSqliteJournal({ home });
const runs = await journal.runs({ parent: null });
const newest = runs.toSorted((one, other) => other.at - one.at);
const place = { journal, roots: () => newest, tree: () => newest };
const times: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const start = performance.now();
  const { hits } = await searchRuns(place, { text, limit: 50 });
  times.push(performance.now() - start);
  if (hits.length === 0) throw new Error(`${text} was not found.`);
}
await journal.close();
report({ runs: runs.length, searchMs: median(times) });
