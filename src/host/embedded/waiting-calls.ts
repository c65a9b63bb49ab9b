import type { TaskId } from '../../core/ids.ts';

/** Clients that asked whether they may, and wait. Whoever waits for a person is not busy. */
export class WaitingCalls {
  readonly #waiting: {
    readonly task: TaskId;
    readonly toolCall: string;
    readonly tell: (isAllowed: boolean) => void;
  }[] = [];

  /** Resolves with what was decided; rejects when the work is told to stop meanwhile. */
  async wait(asked: { readonly task: TaskId; readonly toolCall: string }, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const waiting = { ...asked, tell: resolve };
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    this.#waiting.push(waiting);
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    }
  }

  tell(told: { readonly task: TaskId; readonly toolCall: string; readonly isAllowed: boolean }): void {
    for (const waiting of this.#waiting.slice()) {
      if (waiting.task === told.task && waiting.toolCall === told.toolCall) waiting.tell(told.isAllowed);
    }
  }

  has(task: TaskId): boolean {
    return this.#waiting.some((waiting) => waiting.task === task);
  }
}
