import { isFault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { PostgresJournal, UndrivenRun } from '../../journal/postgres/shared-journal.ts';
import type { Entries, QueueEntry } from './entries.ts';
import { laneOf } from './lanes.ts';

/**
 * Queues runs that have something to do, that no live process drives and that are in no queue: their entry ended too early, the
 * process that drove them without an entry died, or someone answered while their last entry was ending. Those that sleep are queued
 * for the time that they wake, and at once when there is something for them to hear.
 */
export async function queueForgotten(entries: Entries, journal: PostgresJournal): Promise<void> {
  const undriven = await journal.undriven();
  if (undriven.length === 0) return;
  const open = await entries.open();
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
  readonly open: ReadonlyMap<RunId, Pick<QueueEntry, 'isNap'>>;
}

async function queueOne({ run, wakesAt }: UndrivenRun, { entries, journal, open }: Round): Promise<void> {
  const entry = open.get(run);
  if (entry !== undefined && (wakesAt !== undefined || !entry.isNap)) return;
  const info = await journal.run(run);
  if (info === undefined || info.driven) return;
  const [newest] = await entries.of(run);
  await entries.add(run, await laneOf(journal, info), { failures: newest?.end?.failures ?? 0, wakesAt });
}
