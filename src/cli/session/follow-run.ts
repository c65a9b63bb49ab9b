import type { JournalRecord } from '../../core/fact.ts';
import { childRunId, type RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { watchChanges } from './journal-changes.ts';

export interface TreeRecord {
  readonly run: RunId;
  readonly record: JournalRecord;
}

export interface FollowOptions {
  /** Asked when everything there is was told: is that all? */
  readonly isOver: () => Promise<boolean>;
}

/** How long a silent journal is trusted: a driver that was killed writes nothing to say so. */
const PATIENCE_MS = 500;

/** Records of a run and of its children: history first, in the order of time, then what comes. */
export async function* followRun(journal: Journal, root: RunId, options: FollowOptions): AsyncGenerator<TreeRecord> {
  const reached = new Map<RunId, number>([[root, 0]]);
  const changes = watchChanges(journal);
  try {
    for (;;) {
      // Asked before reading: whatever was written before the end is then certainly read.
      const isOver = await options.isOver();
      const news = await readNews(journal, reached);
      yield* news;
      if (news.length > 0) continue;
      if (isOver) return;
      await changes.next(PATIENCE_MS);
    }
  } finally {
    changes.close();
  }
}

async function readNews(journal: Journal, reached: Map<RunId, number>): Promise<readonly TreeRecord[]> {
  const news: TreeRecord[] = [];
  // A map's iteration also sees the children that are added on the way.
  for (const [run, after] of reached) {
    if ((await journal.run(run)) === undefined) continue;
    for (const record of await journal.read(run, after)) {
      news.push({ run, record });
      reached.set(run, record.seq);
      const { fact } = record;
      if (fact.kind === 'task.started' && fact.work.kind === 'call') reached.set(childRunId(run, fact.task), 0);
    }
  }
  return news.toSorted((a, b) => a.record.at - b.record.at);
}
