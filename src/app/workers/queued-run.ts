import { timeText } from '../../core/look/amount-text.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Caller } from '../caller.ts';
import { journalAddress } from '../config/project.ts';
import type { OpenStore } from '../world/store.ts';
import { laneOf } from '../../host/workers/lanes.ts';
import { type OfferingWorker, whyQueued } from './needs.ts';
import { listWorkers, type ListedWorker } from './run-worker.ts';

export interface Queued {
  /** Why no worker drives a run that wants to go on; absent where one does, and where this machine is alone. */
  readonly queued?: string;
}

/** As far as the run, its lane and the workers that were listed tell. A unit needs what its root needs. */
export function queuedRun(
  info: RunInfo,
  workers: readonly OfferingWorker[] | null,
  { needs = [] }: Pick<RunInfo, 'needs'> = info,
): Queued {
  const isWaiting = info.status === 'running' && !info.driven && info.isWaitingBelow !== true;
  if (workers === null || !isWaiting) return {};
  const { wakesAt = 0 } = info;
  return { queued: wakesAt > Date.now() ? `sleeps until ${timeText(wakesAt)}` : whyQueued(needs, workers) };
}

/** The same for a run of which only the name is known. */
export async function queuedNow(store: OpenStore, run: RunId): Promise<Queued> {
  const info = await store.journal.run(run);
  return info === undefined ? {} : queuedRun(info, await workersToAsk(store), await laneOf(store.journal, info));
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
    return { queued: failure === null ? queued : `${queued}; ${failureText(failure)}` };
  } finally {
    await queue.close();
  }
}

const failureText = ({ failures, reason }: { readonly failures: number; readonly reason: string | null }): string =>
  `tried ${failures === 1 ? 'once' : `${failures} times`}, the last time: ${reason ?? 'no reason is known'}`;
