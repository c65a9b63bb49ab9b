import type { TaskId } from '../../core/model/ids.ts';

interface Waiting {
  readonly task: TaskId;
  readonly toolCall: string;
  readonly tell: (isAllowed: boolean) => void;
}

/** Clients that asked for permission, and wait. Waiting for a person does not count as busy. */
export class WaitingCalls {
  readonly #waiting = new Set<Waiting>();

  /** Resolves with the decision; rejects if the work is stopped meanwhile. */
  async wait(asked: { readonly task: TaskId; readonly toolCall: string }, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const waiting = { ...asked, tell: resolve };
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    this.#waiting.add(waiting);
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#waiting.delete(waiting);
    }
  }

  tell(decided: { readonly task: TaskId; readonly toolCall: string; readonly isAllowed: boolean }): void {
    this.#settle(({ task, toolCall }) => task === decided.task && toolCall === decided.toolCall, decided.isAllowed);
  }

  /** The client that waits has ended, so an answer would have no receiver. */
  drop(task: TaskId): void {
    this.#settle((waiting) => waiting.task === task, false);
  }

  /** It counts as working from this moment, although the client gets the answer a little later. */
  #settle(isMeant: (waiting: Waiting) => boolean, isAllowed: boolean): void {
    for (const waiting of [...this.#waiting].filter((one) => isMeant(one))) {
      this.#waiting.delete(waiting);
      waiting.tell(isAllowed);
    }
  }

  has(task: TaskId): boolean {
    return [...this.#waiting].some((waiting) => waiting.task === task);
  }
}
