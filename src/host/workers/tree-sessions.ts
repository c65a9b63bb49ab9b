import type { RunId } from '../../core/model/ids.ts';

/** Opens what it takes to drive a tree of runs, for as long as the work takes. */
export type OpenTree<Session> = (root: RunId, work: (session: Session) => Promise<void>) => Promise<void>;

interface OpenSession<Session> {
  users: number;
  readonly session: Promise<Session>;
  readonly close: () => void;
  readonly closed: Promise<void>;
}

/**
 * One session for all runs of a tree that a worker drives: they share workspaces, resources and turns. The last one to leave closes it,
 * and who comes meanwhile waits for that.
 */
export class TreeSessions<Session> {
  readonly #openTree: OpenTree<Session>;
  readonly #open = new Map<RunId, OpenSession<Session>>();
  readonly #closing = new Map<RunId, Promise<void>>();

  constructor(open: OpenTree<Session>) {
    this.#openTree = open;
  }

  async use(root: RunId, work: (session: Session) => Promise<void>): Promise<void> {
    const open = this.#open.get(root) ?? this.#begin(root);
    open.users += 1;
    try {
      await work(await open.session);
    } finally {
      open.users -= 1;
      if (open.users === 0) await this.#end(root, open);
    }
  }

  #begin(root: RunId): OpenSession<Session> {
    const opened = Promise.withResolvers<Session>();
    const left = Promise.withResolvers<void>();
    const closed = this.#hold(root, opened.resolve, left.promise);
    const open: OpenSession<Session> = { users: 0, session: opened.promise, close: () => left.resolve(), closed };
    this.#open.set(root, open);
    closed.catch((error: unknown) => {
      // Who comes next tries again.
      this.#forget(root, open);
      opened.reject(error);
    });
    return open;
  }

  async #hold(root: RunId, opened: (session: Session) => void, left: Promise<void>): Promise<void> {
    await this.#closing.get(root)?.catch(() => undefined);
    await this.#openTree(root, async (session) => {
      opened(session);
      await left;
    });
  }

  #forget(root: RunId, open: OpenSession<Session>): void {
    if (this.#open.get(root) === open) this.#open.delete(root);
  }

  async #end(root: RunId, open: OpenSession<Session>): Promise<void> {
    const { close, closed } = open;
    this.#forget(root, open);
    this.#closing.set(root, closed);
    close();
    try {
      await closed;
    } finally {
      if (this.#closing.get(root) === closed) this.#closing.delete(root);
    }
  }
}
