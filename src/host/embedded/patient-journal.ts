import type { FaultCode } from '../../core/codes/codes.ts';
import { isFault } from '../../core/model/fault.ts';
import type { Journal } from '../../journal/port.ts';
import type { Clock } from '../world.ts';

/** Waits between the tries of one call: about three seconds in all, besides the time SQLite itself waits for a lock. */
const WAITS_MS = [20, 60, 200, 600, 2000];

/** A lock held by another process, a failed read or write, a full disk: each may pass quickly. */
const TRANSIENT: ReadonlySet<FaultCode> = new Set(['JOURNAL_BUSY', 'JOURNAL_IO', 'JOURNAL_FULL']);

/**
 * A journal that retries transient errors, a limited number of times, and passes every other error on at once. Every call
 * can be repeated: a message is taken once [J6], and so are a new run and a batch [J7].
 */
export function patientJournal(journal: Journal, clock: Clock): Journal {
  const patiently = <T>(call: () => Promise<T>): Promise<T> => retry(clock, call);
  return {
    create: (header, owner, first) => patiently(() => journal.create(header, owner, first)),
    append: (lease, batch) => patiently(() => journal.append(lease, batch)),
    read: (run, after, limit) => patiently(() => journal.read(run, after, limit)),
    tree: (root, after, limit) => patiently(() => journal.tree(root, after, limit)),
    run: (run) => patiently(() => journal.run(run)),
    runs: (filter) => patiently(() => journal.runs(filter)),
    putBody: (body) => patiently(() => journal.putBody(body)),
    getBody: (hash) => patiently(() => journal.getBody(hash)),
    lease: (run, owner, from) => patiently(() => journal.lease(run, owner, from)),
    release: (lease) => patiently(() => journal.release(lease)),
    send: (run, message) => patiently(() => journal.send(run, message)),
    inbox: (run) => patiently(() => journal.inbox(run)),
    addressed: () => patiently(() => journal.addressed()),
    onChange: (listener) => journal.onChange(listener),
    ...(journal.lapses && { lapses: () => journal.lapses?.() ?? 0 }),
    ...(journal.reserve && { reserve: journal.reserve.bind(journal) }),
    close: () => journal.close(),
  };
}

/** The first try, which nearly always succeeds, costs no more than the call. */
const retry = <T>(clock: Clock, call: () => Promise<T>): Promise<T> =>
  call().catch((error: unknown) => tryAgain(clock, call, error));

async function tryAgain<T>(clock: Clock, call: () => Promise<T>, first: unknown): Promise<T> {
  let error = first;
  for (const waitMs of WAITS_MS) {
    if (!isTransient(error)) throw error;
    await new Promise<void>((resolve) => void clock.alarm(clock.now() + waitMs, resolve));
    try {
      return await call();
    } catch (next) {
      error = next;
    }
  }
  throw error;
}

const isTransient = (error: unknown): boolean => isFault(error) && TRANSIENT.has(error.code);
