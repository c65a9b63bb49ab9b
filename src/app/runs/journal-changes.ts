import type { Journal } from '../../journal/port.ts';

/** Waiting for the journal to change, without missing a change that came between two waits. */
export interface JournalChanges {
  /** Resolves at the next change, or after this time. */
  next(ms: number): Promise<void>;
  close(): void;
}

export function watchChanges(journal: Journal): JournalChanges {
  let wake: () => void = () => undefined;
  let isPending = false;
  const unsubscribe = journal.onChange(() => {
    isPending = true;
    wake();
  });
  return {
    close: unsubscribe,
    async next(ms) {
      if (!isPending) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, ms);
        wake = resolve;
        await promise;
        clearTimeout(timer);
      }
      isPending = false;
    },
  };
}
