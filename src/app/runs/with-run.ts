import { existsSync } from 'node:fs';
import type { RunId } from '../../core/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import { logPlace } from '../observers/logs/log-place.ts';
import { questPlace } from '../quest/quest-files.ts';
import type { Purpose } from '../world/purpose.ts';
import { findRun } from './find-run.ts';
import { refuseChild, rootRun } from './root-run.ts';
import { prepareSession, withSession, withStoreOf, type Asking, type Session } from './session.ts';

export interface NamedRun {
  /** As a person names it. */
  readonly named: string;
  readonly purpose: Purpose;
  /** Whether it may be one below another. */
  readonly allowsChild?: boolean;
}

/** Opens a run with the settings of its own project, from wherever somebody asks. */
export async function withRun<Result>(
  asking: Asking,
  { named, purpose, allowsChild = false }: NamedRun,
  work: (session: Session, info: RunInfo) => Promise<Result>,
): Promise<Result> {
  const { caller } = asking;
  const info = await withStoreOf(asking, ({ journal }) => findRun(journal, named, caller.folder));
  if (!allowsChild) refuseChild(info.run);
  const folder = existsSync(info.project) ? info.project : caller.folder;
  const prepared = await prepareSession(asking, { purpose, folder });
  return await withSession(prepared, async (session) => {
    try {
      return await work(session, info);
    } finally {
      await keepFiles(session, rootRun(info.run));
    }
  });
}

/**
 * What is written down about a run that no process drives is heard by none; the process that drives it writes its files. Those
 * that were pruned are not made again by somebody who looks.
 */
async function keepFiles({ store, quests, followers }: Session, root: RunId): Promise<void> {
  const [hasQuest, hasLog] = [questPlace(store.home, root).json, logPlace(store.home, root).workflow].map(existsSync);
  if ((!hasQuest && !hasLog) || (await store.journal.run(root))?.driven !== false) return;
  if (hasQuest) quests.touched(root);
  if (hasLog) followers.touched(root);
}
