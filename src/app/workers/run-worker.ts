import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import { driveRun } from '../../host/workers/drive-run.ts';
import { describeError } from '../describe-error.ts';
import { journalAddress } from '../config/project.ts';
import { receiveRun } from '../runs/receive-run.ts';
import { type Asking, withRun } from '../runs/session.ts';
import { type OpenStore, withStore } from '../world/store.ts';
import type { PostgresJournal, RegisteredWorker } from '../../journal/postgres/shared-journal.ts';

export interface WorkerTerms {
  readonly slots: number;
  /** When this resolves, the worker hands its runs over. */
  readonly stopped: Promise<unknown>;
  readonly started: () => void;
}

/** What a worker is known by among the processes that take leases. */
const SLOTS = 'slots';

/** Drives runs of the shared journal until it is stopped. JOURNAL_NOT_SHARED. */
export async function runWorker(asking: Asking, { slots, stopped, started }: WorkerTerms): Promise<void> {
  const about = { version: asking.version, labels: { [SLOTS]: String(slots) } };
  const work = async (store: OpenStore): Promise<void> => {
    const journal = sharedJournal(store);
    const { openWorkQueue } = await import('../../host/workers/work-queue.ts');
    const queue = await openWorkQueue({ address: (await journalAddress(asking.caller)) ?? '' });
    try {
      const drive = (run: RunId, signal: AbortSignal) => driveHere({ ...asking, store }, run, signal);
      const worker = await queue.work({ slots, journal, drive });
      started();
      await stopped;
      await worker.drain();
    } finally {
      await queue.close();
    }
  };
  await withStore(asking.caller, work, about);
}

/** The processes that take runs from the queue; a journal of one machine has none. */
export async function listWorkers({ shared }: OpenStore): Promise<readonly RegisteredWorker[]> {
  const all = (await shared?.workers()) ?? [];
  return all.filter(({ labels }) => labels[SLOTS] !== undefined);
}

async function driveHere(asking: Asking & { readonly store: OpenStore }, run: RunId, signal: AbortSignal) {
  const { store, tell } = asking;
  try {
    const elsewhere = await receiveRun(store, run);
    const named = { named: run, purpose: 'drive', allowsChild: true } as const;
    await withRun({ ...asking, elsewhere }, named, (session) => driveRun(session.host, run, signal));
  } catch (error) {
    const { code, message } = describeError(error);
    if (code !== 'RUN_SETTLED') tell(`Run ${run} is not driven here: ${message}`);
    throw error;
  }
}

function sharedJournal({ shared }: OpenStore): PostgresJournal {
  if (shared !== undefined) return shared;
  throw new Fault('JOURNAL_NOT_SHARED', 'Workers need a journal that several machines share.', {
    hint: 'Name one on PostgreSQL: --journal postgres://USER@HOST:5432/DATABASE, or the setting journal.',
  });
}
