import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';

const PATIENCE_MS = 30_000;

/** Waits until the process that drives the run has taken every message that was sent to it or its children. */
export async function untilConsumed(journal: Journal, runs: readonly RunId[]): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const { promise, resolve } = Promise.withResolvers<void>();
  let wake = resolve;
  const stop = journal.onChange(() => wake());
  try {
    await Promise.resolve();
    let next = promise;
    while (await hasMessages(journal, runs)) {
      if (Date.now() > deadline) throw notTaken(runs);
      const timer = setTimeout(() => wake(), 250);
      await next;
      clearTimeout(timer);
      const again = Promise.withResolvers<void>();
      wake = again.resolve;
      next = again.promise;
    }
  } finally {
    stop();
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
