import type { Batch, Journal, Lease } from '../../journal/port.ts';

export interface DyingJournal extends Journal {
  readonly isDead: () => boolean;
  /** Writes so far. */
  readonly writes: () => number;
}

/** A process that dies: from the given append on, nothing is written and nothing comes back. */
export function dyingJournal(journal: Journal, options: { readonly afterAppends: number }): DyingJournal {
  let appends = 0;
  const isDead = (): boolean => appends > options.afterAppends;
  const never = new Promise<never>(() => undefined);
  return {
    isDead,
    writes: () => appends,
    create(run, owner, first) {
      appends += 1;
      return isDead() ? never : journal.create(run, owner, first);
    },
    append(lease: Lease, batch: Batch) {
      appends += 1;
      return isDead() ? never : journal.append(lease, batch);
    },
    read: (run, after) => journal.read(run, after),
    run: (run) => journal.run(run),
    runs: (filter) => journal.runs(filter),
    putBody: (body) => journal.putBody(body),
    getBody: (hash) => journal.getBody(hash),
    lease: (run, owner) => journal.lease(run, owner),
    release: () => Promise.resolve(),
    send: (run, message) => journal.send(run, message),
    inbox: (run) => journal.inbox(run),
    addressed: () => journal.addressed(),
    onChange: (listener) => journal.onChange(listener),
    close: () => Promise.resolve(),
  };
}
