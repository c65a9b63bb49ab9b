import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import { untilConsumed } from './inbox-wait.ts';
import { markPaused } from './mark-paused.ts';
import type { Session } from './session.ts';

/** What is under way comes to its end, and nothing new starts until the run is resumed. False where it was paused already. */
export async function pauseRun(session: Session, info: RunInfo, reason: string): Promise<boolean> {
  const { run, driven } = info;
  refuseSettled(info);
  if ((await session.host.snapshot(run)).held !== null) return false;
  await (driven ? pauseElsewhere : pauseHere)(session, run, reason);
  return true;
}

export function refuseSettled({ run, status, outcome }: RunInfo): void {
  if (status === 'settled') throw new Fault('RUN_SETTLED', `Run ${run} is already settled: ${outcome}.`);
}

async function pauseElsewhere(session: Session, run: RunId, reason: string): Promise<void> {
  const { host, store, by } = session;
  await host.pause(run, by, reason);
  const isHeard = await untilConsumed(store.journal, await openRuns(store.journal, run));
  if (!isHeard) await pauseHere(session, run, reason);
}

/** Those at the bottom first: while one of them moves, its parent has something under way. */
async function pauseHere({ world, store, by }: Session, run: RunId, reason: string): Promise<void> {
  for (const one of (await openRuns(store.journal, run)).toReversed())
    await markPaused(world, one, { name: by, reason });
}

async function openRuns(journal: Journal, root: RunId): Promise<readonly RunId[]> {
  const runs = [root];
  for (const run of runs) {
    const below = await journal.runs({ parent: run });
    runs.push(...below.filter(({ status }) => status !== 'settled').map((info) => info.run));
  }
  return runs;
}
