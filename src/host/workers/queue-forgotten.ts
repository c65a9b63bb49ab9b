import { isFault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { PostgresJournal } from '../../journal/postgres/shared-journal.ts';
import type { Entries } from './entries.ts';
import { laneOf } from './lanes.ts';

/**
 * Queues runs that have something to do, that no live process drives and that are in no queue: their entry ended too early, the
 * process that drove them without an entry died, or someone answered while their last entry was ending.
 */
export async function queueForgotten(entries: Entries, journal: PostgresJournal): Promise<void> {
  const undriven = await journal.undriven();
  if (undriven.length === 0) return;
  const open = await entries.openRuns();
  for (const run of undriven) {
    if (open.has(run)) continue;
    try {
      const info = await queueable(journal, run);
      if (info === undefined || info.driven || open.has(info.run)) continue;
      open.add(info.run);
      const newest = (await entries.of(info.run)).toSorted((one, other) => other.n - one.n)[0];
      await entries.add(info.run, await laneOf(journal, info), newest?.end?.failures ?? 0);
    } catch (error) {
      // A run that cannot be read keeps no other from being found.
      if (!isFault(error)) throw error;
    }
  }
}

/** The run itself, or the run above it whose process drives it. */
async function queueable(journal: Journal, run: RunId): Promise<RunInfo | undefined> {
  const info = await journal.run(run);
  if (info === undefined || info.parent === null || info.isOffered === true) return info;
  return await queueable(journal, info.parent);
}
