import { timeText } from '../../core/look/amount-text.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import { type QueuedReason, willBeTaken } from '../../protocol/status-word.ts';
import type { Caller } from '../caller.ts';
import { journalAddress } from '../config/project.ts';
import type { OpenStore } from '../world/store.ts';
import { laneOf } from '../../host/workers/lanes.ts';
import { type OfferingWorker, whyQueued } from './needs.ts';
import { listWorkers, type ListedWorker } from './run-worker.ts';

export interface Queued {
  /** Why no worker drives a run that wants to go on; absent where one does, and where this machine is alone. */
  readonly queued?: QueuedReason;
}

/** As far as the run, its lane and the workers that were listed tell. A unit needs what its root needs. */
export function queuedRun(
  info: RunInfo,
  workers: readonly OfferingWorker[] | null,
  { needs = [] }: Pick<RunInfo, 'needs'> = info,
): Queued {
  const isWaiting = info.status === 'running' && !info.driven && info.isWaitingBelow !== true;
  if (workers === null || !isWaiting) return {};
  const { wakesAt: until = 0 } = info;
  if (until <= Date.now()) return { queued: whyQueued(needs, workers) };
  return { queued: { kind: 'sleeps', text: `sleeps until ${timeText(until)}`, until } };
}

/** The same for a run of which only the name is known. */
export async function queuedNow(store: OpenStore, run: RunId): Promise<Queued> {
  const info = await store.journal.run(run);
  return info === undefined ? {} : await queuedOf(store, info);
}

const queuedOf = async (store: OpenStore, info: RunInfo): Promise<Queued> =>
  queuedRun(info, await workersToAsk(store), await laneOf(store.journal, info));

/** Why no worker takes a run at once that has something to hear, even where it sleeps. */
export async function whoTakes(store: OpenStore, run: RunId): Promise<Queued> {
  const [info, workers] = [await store.journal.run(run), await workersToAsk(store)];
  if (info === undefined || workers === null) return {};
  return { queued: whyQueued((await laneOf(store.journal, info)).needs ?? [], workers) };
}

/** A process drives the run, or a worker will take it by itself. */
export async function isGoingOn(store: OpenStore, run: RunId): Promise<boolean> {
  const info = await store.journal.run(run);
  return info !== undefined && (info.driven || willBeTaken((await queuedOf(store, info)).queued));
}

/** The live workers; null where this machine is alone. */
export async function workersToAsk(store: OpenStore): Promise<readonly ListedWorker[] | null> {
  return store.shared === undefined ? null : await listWorkers(store);
}

/** The same with what went wrong when a worker last tried, which only the queue knows. */
export async function queuedWithFailure(store: OpenStore, caller: Caller, run: RunId): Promise<Queued> {
  const { queued } = await queuedNow(store, run);
  if (queued === undefined) return {};
  const { openWorkQueue } = await import('../../host/workers/work-queue.ts');
  const queue = await openWorkQueue({ address: (await journalAddress(caller)) ?? '' });
  try {
    const failure = await queue.lastFailure(run).catch(() => null);
    return { queued: failure === null ? queued : { ...queued, text: `${queued.text}; ${failureText(failure)}` } };
  } finally {
    await queue.close();
  }
}

const failureText = ({ failures, reason }: { readonly failures: number; readonly reason: string | null }): string =>
  `tried ${failures === 1 ? 'once' : `${failures} times`}, the last time: ${reason ?? 'no reason is known'}`;
