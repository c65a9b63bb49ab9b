import type { Journal } from '../../journal/port.ts';

/** Waiting for the journal to change, without missing a change that came between two waits. */
export interface JournalChanges {
  /** Resolves at the next change, or after this time. */
  next(ms: number): Promise<void>;
  /** Ends the present wait. */
  readonly wake: () => void;
  close(): void;
}

export function watchChanges(journal: Journal): JournalChanges {
  let wake: () => void = () => undefined;
  let isPending = false;
  const changed = (): void => {
    isPending = true;
    wake();
  };
  const unsubscribe = journal.onChange(changed);
  return {
    wake: changed,
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
