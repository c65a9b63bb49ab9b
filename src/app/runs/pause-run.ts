import { Fault, isFaultOf } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import { untilConsumed, untilOver } from './inbox-wait.ts';
import { queueRun } from './queue-run.ts';
import type { Session } from './session.ts';
import { runsBelow } from './tree-reader.ts';
import { applyFact } from '../../core/fold/apply.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { batchOf } from '../../host/embedded/batch.ts';
import type { World } from '../../host/world.ts';

/** Pauses a run that no process drives, without starting any of its work. */
async function markPaused(world: World, run: RunId, by: { name: string; reason: string }): Promise<void> {
  const { journal, owner, clock } = world;
  const lease = await journal.lease(run, owner);
  try {
    const now = foldRecords(await journal.read(run));
    if (now.status === 'settled' || now.held !== null || now.stopping !== null || now.rollingBack !== null) return;
    const fact = { kind: 'run.paused', by: by.name, reason: by.reason } as const;
    const snapshot = applyFact(now, fact, Math.max(now.at, clock.now()));
    await journal.append(lease, batchOf([fact], { after: now.seq, snapshot }));
  } finally {
    await journal.release(lease);
  }
}

/** Lets present work finish and starts nothing new until the run is resumed. False if it was paused already. */
export async function pauseRun(session: Session, info: RunInfo, reason: string): Promise<boolean> {
  const { run, driven } = info;
  refuseSettled(info);
  if ((await session.host.snapshot(run)).held !== null) return false;
  await (driven ? pauseElsewhere : pauseEach)(session, run, reason);
  return true;
}

function refuseSettled({ run, status, outcome }: RunInfo): void {
  if (status === 'settled') throw new Fault('RUN_SETTLED', `Run ${run} is already settled: ${outcome}.`);
}

async function pauseElsewhere(session: Session, run: RunId, reason: string): Promise<void> {
  const { host, store, by } = session;
  await host.pause(run, by, reason);
  const isHeard = await untilConsumed(store.journal, await openRuns(store.journal, run));
  if (!isHeard) await pauseEach(session, run, reason);
}

/** Those at the bottom first: while one of them moves, its parent has something under way. A unit that a worker drives gets a message. */
async function pauseEach(session: Session, run: RunId, reason: string): Promise<void> {
  const { world, store, by } = session;
  for (const one of (await openRuns(store.journal, run)).toReversed()) {
    try {
      await markPaused(world, one, { name: by, reason });
    } catch (error) {
      if (!isFaultOf(error, 'RUN_BUSY')) throw error;
      await pauseDriven(session, one, reason);
    }
  }
}

/** One that ended meanwhile has nothing left to pause. */
async function pauseDriven({ host, store, by }: Session, run: RunId, reason: string): Promise<void> {
  try {
    await host.pause(run, by, reason);
    await untilConsumed(store.journal, [run]);
  } catch (error) {
    if (!isFaultOf(error, 'RUN_SETTLED')) throw error;
  }
}

async function openRuns(journal: Journal, root: RunId): Promise<readonly RunId[]> {
  return (await runsBelow(journal, root)).filter(({ status }) => status !== 'settled').map(({ run }) => run);
}

/** `asked`: the word is kept, and the worker that takes the run next ends it. */
export type Cancelled = 'cancelled' | 'asked';

/** As every face reports it. */
export const cancelledLine = (run: RunId, cancelled: Cancelled) =>
  ({ kind: 'run.cancelled', run, ...(cancelled === 'asked' ? { isAsked: true } : {}) }) as const;

/** Ends a run for good, wherever it is driven. */
export async function cancelRun(session: Session, info: RunInfo, reason: string): Promise<Cancelled> {
  refuseSettled(info);
  return await (info.driven ? cancelElsewhere : cancelHere)(session, info.run, reason);
}

async function cancelElsewhere(session: Session, run: RunId, reason: string): Promise<Cancelled> {
  const { host, store, by } = session;
  await host.cancel(run, by, reason);
  return (await untilConsumed(store.journal, [run])) ? 'cancelled' : await cancelHere(session, run, reason);
}

/** The message waits in the inbox before the run is taken up, so that taking it up starts as little as possible. */
async function cancelHere(session: Session, run: RunId, reason: string): Promise<Cancelled> {
  const { host, by, store } = session;
  await host.cancel(run, by, reason);
  if (session.isLeftToWorkers) {
    const isServed = await queueRun(session, run);
    return isServed && (await untilOver(store.journal, run)) ? 'cancelled' : 'asked';
  }
  await host.resume(run, { by });
  const { status } = await host.rest(run);
  if (status !== 'settled') await host.cancel(run, by, reason);
  await host.rest(run);
  return 'cancelled';
}
