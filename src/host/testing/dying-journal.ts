import type { Batch, Journal, Lease } from '../../journal/port.ts';

export interface DyingJournal extends Journal {
  readonly isDead: () => boolean;
  /** Resolves one turn after the writer has died; never if it lives on. */
  readonly died: Promise<void>;
  /** Writes so far. */
  readonly writes: () => number;
}

/** A process that dies: from the given append on, nothing is written and nothing comes back. `die` ends a real one. */
export function dyingJournal(
  journal: Journal,
  options: { readonly afterAppends: number; readonly die?: () => void },
): DyingJournal {
  let appends = 0;
  const isDead = (): boolean => appends > options.afterAppends;
  const never = new Promise<never>(() => undefined);
  const { promise: died, resolve } = Promise.withResolvers<void>();
  const lives = (): boolean => {
    appends += 1;
    if (isDead()) {
      options.die?.();
      setImmediate(resolve);
    }
    return !isDead();
  };
  return {
    isDead,
    died,
    writes: () => appends,
    create(run, owner, first) {
      return lives() ? journal.create(run, owner, first) : never;
    },
    append(lease: Lease, batch: Batch) {
      return lives() ? journal.append(lease, batch) : never;
    },
    read: (run, after, limit) => journal.read(run, after, limit),
    tree: (root, after, limit) => journal.tree(root, after, limit),
    run: (run) => journal.run(run),
    runs: (filter) => journal.runs(filter),
    putBody: (body) => journal.putBody(body),
    getBody: (hash) => journal.getBody(hash),
    lease: (run, owner, from) => journal.lease(run, owner, from),
    release: () => Promise.resolve(),
    send: (run, message) => journal.send(run, message),
    inbox: (run) => journal.inbox(run),
    addressed: () => journal.addressed(),
    onChange: (listener) => journal.onChange(listener),
    close: () => Promise.resolve(),
  };
}
