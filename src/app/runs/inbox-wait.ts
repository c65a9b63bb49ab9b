import { Fault } from '../../core/model/fault.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { watchChanges } from './tree-reader.ts';

const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 250;

/**
 * Waits until the process that drives the runs has taken every message that was sent to them. False when that process has left
 * and the messages still lie there: the caller can take the run over. A run that ended first never hears them: RUN_SETTLED.
 */
export async function untilConsumed(journal: Journal, runs: readonly RunId[]): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  const changes = watchChanges(journal);
  try {
    for (;;) {
      // Looked at first: a process that leaves takes what arrived before.
      const isDriven = await isAnyDriven(journal, runs);
      const unread = await unreadOf(journal, runs);
      if (unread.length === 0) return true;
      const open = unread.filter(({ isOver }) => !isOver);
      if (open.length === 0) return refuseAllOver(runs, unread);
      if (!isDriven) return false;
      if (Date.now() > deadline) throw notTaken(open.map(({ run }) => run));
      await changes.next(LOOK_AGAIN_MS);
    }
  } finally {
    changes.close();
  }
}

/** Waits until the run is over. False where that takes long. */
export async function untilOver(journal: Journal, run: RunId): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  const changes = watchChanges(journal);
  try {
    for (;;) {
      if ((await journal.run(run))?.status === 'settled') return true;
      if (Date.now() > deadline) return false;
      await changes.next(LOOK_AGAIN_MS);
    }
  } finally {
    changes.close();
  }
}

/** A child is driven by the process that drives its root, which takes it over a little later; a unit by any worker. */
export async function isAnyDriven(journal: Journal, runs: readonly RunId[]): Promise<boolean> {
  const drivers = [...new Set(runs.flatMap((run) => [rootRunId(run), run]))];
  return (await Promise.all(drivers.map((run) => journal.run(run)))).some((info) => info?.driven === true);
}

interface Unread {
  readonly run: RunId;
  readonly isOver: boolean;
}

/** Runs with unread messages. Read first: a run that settles takes the messages before it in the same moment. */
async function unreadOf(journal: Journal, runs: readonly RunId[]): Promise<readonly Unread[]> {
  const all = await Promise.all(
    runs.map(async (run) => {
      const isOver = (await journal.run(run))?.status === 'settled';
      return { run, isOver, messages: await journal.inbox(run) };
    }),
  );
  return all.filter(({ messages }) => messages.length > 0);
}

/** Where some of the runs did hear of it, those that were over by then need not. */
function refuseAllOver(runs: readonly RunId[], over: readonly Unread[]): true {
  if (over.length < runs.length) return true;
  const [first] = runs;
  throw new Fault('RUN_SETTLED', `Run ${runs.join(', ')} ended before it received this.`, {
    hint: `Nothing was changed. See how it came out: troupe show ${first}`,
  });
}

function notTaken(runs: readonly RunId[]): Fault {
  return new Fault('NOT_TAKEN', `The process that drives ${runs.join(', ')} has not taken the message yet.`, {
    hint: 'It is saved: that process, or the next `troupe resume`, will read it.',
  });
}
