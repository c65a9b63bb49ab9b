import { Fault, isFault } from '../../core/model/fault.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { driveRun } from '../../host/workers/drive-run.ts';
import type { DriveHere } from '../../host/workers/drives.ts';
import type { BeginScheduled } from '../../host/workers/schedules.ts';
import { TreeSessions } from '../../host/workers/tree-sessions.ts';
import type { WorkerLine } from '../../protocol/operations/answers/worker.ts';
import { errorSentence } from '../describe-error.ts';
import { enclosingProject, journalAddress, openProject } from '../config/project.ts';
import { receiveRun } from '../runs/receive-run.ts';
import { type Asking, type Session, withRun } from '../runs/session.ts';
import { type OpenStore, withStore } from '../world/store.ts';
import type { PostgresJournal, RegisteredWorker, WorkOffer } from '../../journal/postgres/shared-journal.ts';
import { offersOf, projectOffer } from './needs.ts';
import { workerName } from './worker-name.ts';

export interface WorkerTerms {
  readonly slots: number;
  readonly labels: readonly string[];
  /** When this resolves, the worker hands its runs over. */
  readonly stopped: Promise<unknown>;
  readonly started: () => void;
  readonly begin: BeginScheduled;
}

/** Drives runs of the shared journal until it is stopped or asked to drain. JOURNAL_NOT_SHARED. */
export async function runWorker(asking: Asking, terms: WorkerTerms): Promise<void> {
  const { slots, labels, stopped, started, begin } = terms;
  const { caller, version } = asking;
  const { config } = await openProject(caller);
  const offers = [
    ...(await offersOf(config, caller.environment, labels)),
    ...(await projectOffer(enclosingProject(caller.folder))),
  ];
  const work = async (store: OpenStore): Promise<void> => {
    const journal = sharedJournal(store);
    const { workerWarnings } = await import('./worker-warnings.ts');
    for (const warning of await workerWarnings(journal, version)) asking.tell(errorSentence(warning));
    // A store that this machine cannot use would fail every run that it takes.
    await store.files?.missing([]);
    const { openWorkQueue } = await import('../../host/workers/work-queue.ts');
    const queue = await openWorkQueue({ address: (await journalAddress(caller)) ?? '' });
    try {
      const placed = { ...asking, store, placement: queue.placement(journal) };
      const trees = new TreeSessions<Session>((root, work) => openTree(placed, root, work));
      const drive: DriveHere = (run, terms) =>
        reportFailure(asking, run, () => trees.use(rootRunId(run), (session) => driveRun(session.host, run, terms)));
      const worker = await queue.work({ slots, offers, journal, drive, begin, tell: asking.tell });
      started();
      await Promise.race([stopped, worker.drainAsked]);
      await worker.drain();
    } finally {
      await queue.close();
    }
  };
  await withStore(caller, work, { version });
}

/** A process that takes runs from the queue. */
export type ListedWorker = RegisteredWorker & WorkOffer;

/** A journal of one machine has none. */
export async function listWorkers({ shared }: OpenStore): Promise<readonly ListedWorker[]> {
  const all = (await shared?.workers()) ?? [];
  return all.flatMap((worker) => (worker.work === null ? [] : [{ ...worker, ...worker.work }]));
}

/** What lists show of them, with the titles of the runs that they drive. */
export async function workerLines(
  journal: Pick<Journal, 'run'>,
  workers: readonly ListedWorker[],
): Promise<readonly WorkerLine[]> {
  const titled = async (run: RunId) => ({ run, title: (await journal.run(run))?.title ?? '' });
  const lines = workers.map(async (worker): Promise<WorkerLine> => {
    const { id, version, isAlive, isDraining, startedAt, beatAt, slots, offers, runs } = worker;
    const about = { id, name: workerName(worker), version, isAlive, isDraining, startedAt, beatAt };
    return { ...about, slots, offers, runs: await Promise.all(runs.map(titled)) };
  });
  return await Promise.all(lines);
}

/** Asks a worker, wherever it runs, to hand its runs over and to end. WORKER_UNKNOWN, JOURNAL_NOT_SHARED. */
export async function drainWorker(store: OpenStore, named: string): Promise<ListedWorker> {
  const journal = sharedJournal(store);
  const workers = (await listWorkers(store)).filter(({ isAlive }) => isAlive);
  const found = workers.find((worker) => workerName(worker) === named || worker.id === named);
  if (found !== undefined && (await journal.drain(found.id))) return found;
  const names = workers.map(workerName);
  throw new Fault('WORKER_UNKNOWN', `There is no live worker named "${named}".`, {
    hint: names.length === 0 ? 'There are no live workers.' : `There are: ${names.join(', ')}.`,
  });
}

async function openTree(
  asking: Asking & { readonly store: OpenStore },
  root: RunId,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const elsewhere = await receiveRun(asking.store, root);
  await withRun({ ...asking, elsewhere }, { named: root, purpose: 'drive' }, work);
}

async function reportFailure({ tell }: Asking, run: RunId, drive: () => Promise<void>): Promise<void> {
  try {
    await drive();
  } catch (error) {
    if (!isFault(error) || error.code !== 'RUN_SETTLED') tell(`Run ${run} is not driven here: ${errorSentence(error)}`);
    throw error;
  }
}

function sharedJournal({ shared }: OpenStore): PostgresJournal {
  if (shared !== undefined) return shared;
  throw new Fault('JOURNAL_NOT_SHARED', 'Workers need a journal that several machines share.', {
    hint: 'Name one on PostgreSQL: --journal postgres://USER@HOST:5432/DATABASE, or the setting journal.',
  });
}
