import { createContext, useContext, useRef, useSyncExternalStore } from 'react';
import type { RunNode, RunTree } from './run-tree.ts';
import type { RunStore } from './run-store.ts';
import { useSelection } from './selection.ts';

export const RunStoreContext = createContext<RunStore | null>(null);

export function useRunStore(): RunStore {
  const store = useContext(RunStoreContext);
  if (store === null) throw new Error('This part of the page belongs inside a run.');
  return store;
}

/** Selects what a component needs, so that it is drawn again only when that value changes. */
export function useTree<Seen>(look: (tree: RunTree) => Seen, isSame: (a: Seen, b: Seen) => boolean = Object.is): Seen {
  const store = useRunStore();
  const seen = useRef<{ readonly value: Seen } | null>(null);
  const current = (): Seen => {
    const value = look(store.get());
    if (seen.current === null || !isSame(seen.current.value, value)) seen.current = { value };
    return seen.current.value;
  };
  return useSyncExternalStore(store.subscribe, current);
}

/** The run that is looked at: the root, or a child that was selected. Null while nothing is known of it. */
export function useShownRun(): RunNode | null {
  const [{ run }] = useSelection();
  return useTree((tree) => tree.runs.get(run ?? tree.root) ?? tree.runs.get(tree.root) ?? null);
}

/** The tree, again when its runs have changed: words that are being said change nothing. */
export const useRuns = (): RunTree =>
  useTree(
    (tree) => tree,
    (a, b) => a.runs === b.runs,
  );
