import type { RunId } from '../../core/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Caller } from '../caller.ts';
import { journalAddress } from '../config/project.ts';
import type { OpenStore } from '../world/store.ts';
import { whyQueued } from './needs.ts';
import { listWorkers, type ListedWorker } from './run-worker.ts';

export interface Queued {
  /** Why no worker drives a run that wants to go on; absent where one does, and where this machine is alone. */
  readonly queued?: string;
}

/** As far as the run and the workers that were listed tell. */
export function queuedRun(info: RunInfo, workers: readonly ListedWorker[] | null): Queued {
  const isWaiting = info.status === 'running' && !info.driven && info.isWaitingBelow !== true;
  return workers === null || !isWaiting ? {} : { queued: whyQueued(info.needs ?? [], workers) };
}

/** The live workers; null where this machine is alone. */
export async function workersToAsk(store: OpenStore): Promise<readonly ListedWorker[] | null> {
  return store.shared === undefined ? null : await listWorkers(store);
}

/** The same with what went wrong when a worker last tried, which only the queue knows. */
export async function queuedNow(store: OpenStore, caller: Caller, run: RunId): Promise<Queued> {
  const info = await store.journal.run(run);
  const { queued } = info === undefined ? {} : queuedRun(info, await workersToAsk(store));
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
