import { useSyncExternalStore, type ComponentType } from 'react';

let panel: ComponentType | null = null;
let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** The part of the page that draws graphs: loaded while the run is read, not only when there is something to draw. */
export async function loadGraph(): Promise<void> {
  loading ??= import('./graph-panel.tsx').then(
    ({ GraphPanel }) => {
      panel = GraphPanel;
      for (const listener of listeners) listener();
    },
    // The whole page is loaded anew as soon as somebody serves it.
    () => undefined,
  );
  await loading;
}

/** Null until it is there. What suspends instead is shown a third of a second later at the earliest, even when it is there. */
export function useGraphPanel(): ComponentType | null {
  return useSyncExternalStore(subscribe, () => panel);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
