import type { TaskId } from '../../core/model/ids.ts';

interface Waiting {
  readonly task: TaskId;
  readonly toolCall: string;
  readonly tell: (isAllowed: boolean) => void;
}

/** Clients that asked whether they may, and wait. Whoever waits for a person is not busy. */
export class WaitingCalls {
  readonly #waiting = new Set<Waiting>();

  /** Resolves with what was decided; rejects when the work is told to stop meanwhile. */
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

  tell(told: { readonly task: TaskId; readonly toolCall: string; readonly isAllowed: boolean }): void {
    this.#settle(({ task, toolCall }) => task === told.task && toolCall === told.toolCall, told.isAllowed);
  }

  /** Whoever waits here has ended, and nobody would hear a yes. */
  drop(task: TaskId): void {
    this.#settle((waiting) => waiting.task === task, false);
  }

  /** At work again from this moment, although it hears of it a little later. */
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
