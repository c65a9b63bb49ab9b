import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { watchChanges } from './journal-changes.ts';
import { TreeReader, type ReadRecord } from './tree-reader.ts';

export interface FollowOptions {
  /** Asked when all there is was read: is that all? */
  readonly isOver: () => Promise<boolean>;
  /** Ends the waiting; the reason is thrown. */
  readonly signal?: AbortSignal;
}

/** How long a silent journal is trusted: a driver that was killed writes nothing to say so. */
const PATIENCE_MS = 500;

/** Records of a run and of its children: history first, in the order in which it happened, then what comes. */
export async function* followRun(journal: Journal, root: RunId, options: FollowOptions): AsyncGenerator<ReadRecord> {
  const { signal } = options;
  const reader = new TreeReader(journal, root);
  const changes = watchChanges(journal);
  signal?.addEventListener('abort', changes.wake, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      // Asked before reading: all that was written before the end is then certainly read.
      const isOver = await options.isOver();
      const news = await reader.readOn();
      yield* news;
      if (news.length > 0) continue;
      if (isOver) return;
      await changes.next(PATIENCE_MS);
    }
  } finally {
    signal?.removeEventListener('abort', changes.wake);
    changes.close();
  }
}
