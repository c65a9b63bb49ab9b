import { rootRunId, runId, type RunId } from '../core/ids.ts';
import type { Journal } from '../journal/port.ts';

type Runs = Pick<Journal, 'run' | 'runs'>;

/** What a view reads of these, everybody else whom the server speaks to would wait for. */
const MANY_RECORDS = 10_000;

/** To open a run costs as much as some of its records. */
const A_RUN = 20;

/** Whether a run takes long to be read: with all runs of its tree, as most views are. */
export async function looksLong(journal: Runs, run: string): Promise<boolean> {
  return (await recordsBelow(journal, rootRunId(runId(run)), 0)) > MANY_RECORDS;
}

/** No further than it takes to know that there are many. */
async function recordsBelow(journal: Runs, run: RunId, before: number): Promise<number> {
  let count = before + A_RUN + ((await journal.run(run))?.seq ?? 0);
  if (count > MANY_RECORDS) return count;
  for (const child of await journal.runs({ parent: run })) {
    if (count > MANY_RECORDS) return count;
    count = await recordsBelow(journal, child.run, count);
  }
  return count;
}
