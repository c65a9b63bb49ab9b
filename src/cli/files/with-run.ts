import { existsSync } from 'node:fs';
import type { RunId } from '../../core/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { word } from '../invocation.ts';
import { logPlace } from '../../app/observers/logs/log-place.ts';
import { questPlace } from '../../app/quest/quest-files.ts';
import { prepareSession, type Purpose } from '../../app/runs/session.ts';
import { askingOf } from '../asking.ts';
import { withDriving, type Driving } from '../session/driving.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { refuseChild, rootRun } from '../../app/runs/root-run.ts';
import { withStore } from '../../app/world/store.ts';

/** Opens a run with the settings of its own project, from wherever the command was given. */
export async function withRun<Result>(
  invocation: Invocation,
  work: (driving: Driving, info: RunInfo) => Promise<Result>,
  purpose: Purpose = 'look',
): Promise<Result> {
  const info = await namedRun(invocation);
  refuseChild(info.run);
  return await withFound(invocation, { info, purpose }, work);
}

/** The same where a run below another one may be named as well. */
export async function withNamedRun<Result>(
  invocation: Invocation,
  work: (driving: Driving, info: RunInfo) => Promise<Result>,
): Promise<Result> {
  return await withFound(invocation, { info: await namedRun(invocation), purpose: 'look' }, work);
}

/** The same for driving it, where a run below another one may be named as well. */
export async function withRunOrChild<Result>(
  invocation: Invocation,
  work: (driving: Driving, info: RunInfo) => Promise<Result>,
): Promise<Result> {
  return await withFound(invocation, { info: await namedRun(invocation), purpose: 'drive' }, work);
}

async function namedRun(invocation: Invocation): Promise<RunInfo> {
  const { terminal } = invocation;
  const named = word(invocation, 0) ?? 'last';
  return await withStore(terminal, ({ journal }) => findRun(journal, named, terminal.folder));
}

async function withFound<Result>(
  invocation: Invocation,
  { info, purpose }: { readonly info: RunInfo; readonly purpose: Purpose },
  work: (driving: Driving, info: RunInfo) => Promise<Result>,
): Promise<Result> {
  const folder = existsSync(info.project) ? info.project : invocation.terminal.folder;
  const prepared = await prepareSession(askingOf(invocation), { purpose, folder });
  return await withDriving(invocation, prepared, async (driving) => {
    try {
      return await work(driving, info);
    } finally {
      await keepFiles(driving, rootRun(info.run));
    }
  });
}

/**
 * What is written down about a run that nobody drives is told to nobody; whoever drives it writes its files. Those that were
 * pruned are not made again by somebody who looks.
 */
async function keepFiles({ store, quests, followers }: Driving, root: RunId): Promise<void> {
  const [hasQuest, hasLog] = [questPlace(store.home, root).json, logPlace(store.home, root).workflow].map(existsSync);
  if ((!hasQuest && !hasLog) || (await store.journal.run(root))?.driven !== false) return;
  if (hasQuest) quests.touched(root);
  if (hasLog) followers.touched(root);
}
