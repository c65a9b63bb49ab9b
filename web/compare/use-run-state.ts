import { useEffect, useState, useSyncExternalStore } from 'react';
import { runSource } from '../api/run-source.ts';
import { RunStore } from '../model/run-store.ts';
import type { RunState, RunTree } from '../model/run-tree.ts';

/** A run as it stands and goes on; null until it is read. */
export function useRunState(root: string): { readonly run: RunState | null; readonly failure: RunTree['failure'] } {
  const [store] = useState(() => new RunStore(root, runSource));
  useEffect(() => store.open(), [store]);
  const tree = useSyncExternalStore(store.subscribe, store.get);
  return { run: tree.isLoaded ? (tree.runs.get(root) ?? null) : null, failure: tree.failure };
}
