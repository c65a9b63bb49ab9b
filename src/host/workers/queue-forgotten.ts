import { isFault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
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
    await queueOne(run, { entries, journal, open }).catch((error: unknown) => {
      // A run that cannot be read keeps no other from being found.
      if (!isFault(error)) throw error;
    });
  }
}

interface Round {
  readonly entries: Entries;
  readonly journal: PostgresJournal;
  /** The runs that are queued by now. */
  readonly open: Set<RunId>;
}

async function queueOne(run: RunId, { entries, journal, open }: Round): Promise<void> {
  const info = open.has(run) ? undefined : await queueable(journal, run);
  if (info === undefined || info.driven || open.has(info.run)) return;
  open.add(info.run);
  const newest = (await entries.of(info.run)).toSorted((one, other) => other.n - one.n)[0];
  await entries.add(info.run, await laneOf(journal, info), newest?.end?.failures ?? 0);
}

/** The run itself, or the run above it whose process drives it. */
async function queueable(journal: Journal, run: RunId): Promise<RunInfo | undefined> {
  const info = await journal.run(run);
  if (info === undefined || info.parent === null || info.isOffered === true) return info;
  return await queueable(journal, info.parent);
}
