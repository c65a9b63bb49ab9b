import { useContext, useRef, useSyncExternalStore } from 'react';
import { RunStoreContext } from '../../model/use-run.ts';
import type { RunTree } from '../../model/run-tree.ts';

/** Like `useTree`, for what is also drawn where no run is open: a workflow's own page. */
export function useLive<Seen>(
  look: (tree: RunTree) => Seen,
  none: Seen,
  isSame: (a: Seen, b: Seen) => boolean = Object.is,
): Seen {
  const store = useContext(RunStoreContext);
  const seen = useRef<{ readonly value: Seen } | null>(null);
  const current = (): Seen => {
    const value = store === null ? none : look(store.get());
    if (seen.current === null || !isSame(seen.current.value, value)) seen.current = { value };
    return seen.current.value;
  };
  return useSyncExternalStore(store?.subscribe ?? never, current);
}

const never = (): (() => void) => () => undefined;
