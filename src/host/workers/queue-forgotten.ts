import { isFault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
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
  /** The runs that are queued by now. */
  readonly open: Map<RunId, Pick<QueueEntry, 'isNap'>>;
}

async function queueOne({ run, wakesAt }: UndrivenRun, { entries, journal, open }: Round): Promise<void> {
  const isNap = wakesAt !== undefined;
  const isQueued = (one: RunId): boolean => open.has(one) && (isNap || open.get(one)?.isNap === false);
  const info = isQueued(run) ? undefined : await queueable(journal, run);
  if (info === undefined || info.driven || isQueued(info.run)) return;
  open.set(info.run, { isNap });
  const newest = (await entries.of(info.run)).toSorted((one, other) => other.n - one.n)[0];
  await entries.add(info.run, await laneOf(journal, info), { failures: newest?.end?.failures ?? 0, wakesAt });
}

/** The run itself, or the run above it whose process drives it. */
async function queueable(journal: Journal, run: RunId): Promise<RunInfo | undefined> {
  const info = await journal.run(run);
  if (info === undefined || info.parent === null || info.isOffered === true) return info;
  return await queueable(journal, info.parent);
}
