import { rootRunId, runId } from '../core/model/ids.ts';
import type { Journal } from '../journal/port.ts';

/** Reading this many records would block the server's other requests. */
const MANY_RECORDS = 10_000;

/** To open a run costs as much as some of its records. */
const A_RUN = 20;

/** Whether a run takes long to be read: with all runs of its tree, as most views are. */
export async function looksLong(journal: Pick<Journal, 'runs'>, run: string): Promise<boolean> {
  // So many runs are too many, whatever is in them.
  const tree = await journal.runs({ root: rootRunId(runId(run)), limit: Math.ceil(MANY_RECORDS / A_RUN) + 1 });
  return tree.reduce((count, { seq }) => count + A_RUN + seq, 0) > MANY_RECORDS;
}
