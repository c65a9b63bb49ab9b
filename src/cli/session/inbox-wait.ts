import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { watchChanges } from './journal-changes.ts';

const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 250;

/** Waits until whoever drives the runs has taken every message that was sent to them. */
export async function untilConsumed(journal: Journal, runs: readonly RunId[]): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const changes = watchChanges(journal);
  try {
    while (await hasMessages(journal, runs)) {
      if (Date.now() > deadline) throw notTaken(runs);
      await changes.next(LOOK_AGAIN_MS);
    }
  } finally {
    changes.close();
  }
}

async function hasMessages(journal: Journal, runs: readonly RunId[]): Promise<boolean> {
  const inboxes = await Promise.all(runs.map((run) => journal.inbox(run)));
  return inboxes.some((messages) => messages.length > 0);
}

function notTaken(runs: readonly RunId[]): Fault {
  return new Fault('NOT_TAKEN', `The process that drives ${runs.join(', ')} has not taken the message yet.`, {
    hint: 'It is kept, and taken as soon as that process, or the next `troupe resume`, looks.',
  });
}
