import { useEffect, useState, useSyncExternalStore } from 'react';
import { runSource } from '../api/run-source.ts';
import { RunStore } from '../model/run-store.ts';
import type { RunTree } from '../model/run-tree.ts';
import { useDriven } from '../run/use-run-card.ts';

/** A run with all below it, as it stands and goes on. */
export function useRunTree(root: string): RunTree {
  const [store] = useState(() => new RunStore(root, runSource));
  useEffect(() => store.open(), [store]);
  useDriven(store, root);
  return useSyncExternalStore(store.subscribe, store.get);
}
