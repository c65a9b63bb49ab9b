import { runId, type RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { RunNames } from '../../protocol/run-names.ts';
import type { TreeRecord } from '../../protocol/history/tree-record.ts';
import { watchChanges } from './journal-changes.ts';
import { treeOrder, type LinkedRecord } from './tree-order.ts';

export interface FollowOptions {
  /** Asked when every record there is was given: is that all? */
  readonly isOver: () => Promise<boolean>;
  /** The newest record that is known already, by run; it is kept up. */
  readonly reached?: Map<RunId, number>;
  /** Ends the waiting; the reason is thrown. */
  readonly signal?: AbortSignal;
}

/** How long a silent journal is trusted: a driver that was killed writes nothing to say so. */
const PATIENCE_MS = 500;

/** Records of a run and of its children: history first, in the order in which it happened, then what comes. */
export async function* followRun(journal: Journal, root: RunId, options: FollowOptions): AsyncGenerator<TreeRecord> {
  const { signal, reached = new Map<RunId, number>() } = options;
  if (!reached.has(root)) reached.set(root, 0);
  const names = new RunNames();
  const changes = watchChanges(journal);
  signal?.addEventListener('abort', changes.wake, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      // Asked before reading: whatever was written before the end is then certainly read.
      const isOver = await options.isOver();
      const news = await readNews(journal, reached, names);
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

async function readNews(
  journal: Journal,
  reached: Map<RunId, number>,
  names: RunNames,
): Promise<readonly TreeRecord[]> {
  const news: LinkedRecord[] = [];
  // A map's iteration also sees the children that are added on the way.
  for (const [run, after] of reached) {
    if ((await journal.run(run)) === undefined) continue;
    for (const record of await journal.read(run, after)) {
      const starts = names.learn(run, record.fact).map(runId);
      news.push({ run, record, starts, ends: names.ended(run, record.fact).map(runId) });
      reached.set(run, record.seq);
      for (const child of starts) reached.set(child, reached.get(child) ?? 0);
    }
  }
  return treeOrder(news);
}
