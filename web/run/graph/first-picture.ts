import { queryOptions } from '@tanstack/react-query';
import type { GraphView } from '../../../src/protocol/web/graph-view.ts';
import { api, isUnreachable, runPath } from '../../api/client.ts';
import type { RunStore } from '../../model/run-store.ts';
import { firstOpen } from './active-nodes.ts';
import { type ComponentType, useSyncExternalStore } from 'react';

export interface FirstPicture {
  readonly view: GraphView;
  readonly open: readonly string[];
}

/** The picture a run is first shown with. Asked for at once, so that the server lays it out while its records are read. */
export const firstPicture = (store: RunStore) =>
  queryOptions({
    queryKey: ['graph', store.get().root, 'first'],
    queryFn: async ({ signal }) => await drawFirst(store, signal),
    staleTime: Infinity,
    retry: untilReached,
  });

/** A server that does not answer may come back whenever somebody starts it: the picture is asked for until then. */
export const untilReached = (_: number, error: Error): boolean => isUnreachable(error);

/** Repeats, since a part that was unfolded may have an active node inside. */
async function drawFirst(store: RunStore, signal: AbortSignal): Promise<FirstPicture> {
  const { root } = store.get();
  let view = await picture(root, null, signal);
  await loaded(store, signal);
  let open = firstOpen(view, store.get());
  for (let round = 1; round < MOST_ROUNDS; round += 1) {
    const shown = view.nodes.filter(({ inside }) => inside === 'open').map(({ id }) => id);
    if (isSameSet(shown, open)) break;
    view = await picture(root, open, signal);
    open = firstOpen(view, store.get());
  }
  return { view, open };
}

const MOST_ROUNDS = 4;

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

/** `open` null: as the server thinks best. */
export async function picture(root: string, open: readonly string[] | null, signal: AbortSignal): Promise<GraphView> {
  const words = { open: open === null ? null : [NOTHING, ...open].join(','), direction: wantedDirection() };
  return await api.get<GraphView>(runPath(root, '/graph'), words, { signal });
}

/** In a window that is higher than wide there is room downwards only; else the server knows which way it is larger. */
const wantedDirection = (): 'down' | null => (matchMedia('(orientation: portrait)').matches ? 'down' : null);

/** No node is called so: an empty list of open ones is not the same as none said. */
const NOTHING = '-';

/** Waits until the run is read, as far as possible, so that its activity is known. */
async function loaded(store: RunStore, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      const { isLoaded, failure } = store.get();
      if (!isLoaded && failure === null) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(look);
    signal.addEventListener('abort', () => {
      stop();
      reject(new Error('Its result is no longer needed.'));
    });
    look();
  });
}

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
    // The whole page is loaded again as soon as somebody serves it.
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
