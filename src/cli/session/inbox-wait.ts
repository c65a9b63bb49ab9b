import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { watchChanges } from './journal-changes.ts';

const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 250;

/**
 * Waits until whoever drives the runs has taken every message that was sent to them. One that came to its end first hears
 * nothing any more; when none is left that could, the sender is told.
 */
export async function untilConsumed(journal: Journal, runs: readonly RunId[]): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const changes = watchChanges(journal);
  try {
    for (;;) {
      const unread = await unreadOf(journal, runs);
      if (unread.length === 0) return;
      const open = unread.filter(({ isOver }) => !isOver);
      if (open.length === 0) return refuseAllOver(runs, unread);
      if (Date.now() > deadline) throw notTaken(open.map(({ run }) => run));
      await changes.next(LOOK_AGAIN_MS);
    }
  } finally {
    changes.close();
  }
}

interface Unread {
  readonly run: RunId;
  readonly isOver: boolean;
}

/** Those with messages that nobody has taken. Looked at first: whoever settles takes what came before in the same moment. */
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
function refuseAllOver(runs: readonly RunId[], over: readonly Unread[]): void {
  if (over.length < runs.length) return;
  const [first] = runs;
  throw new Fault('RUN_SETTLED', `Run ${runs.join(', ')} came to its end before it heard of this.`, {
    hint: `Nothing was changed. See how it came out: troupe show ${first}`,
  });
}

function notTaken(runs: readonly RunId[]): Fault {
  return new Fault('NOT_TAKEN', `The process that drives ${runs.join(', ')} has not taken the message yet.`, {
    hint: 'It is kept, and taken as soon as that process, or the next `troupe resume`, looks.',
  });
}
