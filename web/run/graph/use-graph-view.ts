import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { GraphView } from '../../../src/protocol/web/graph-view.ts';
import { api, runPath } from '../../api/client.ts';
import { pictureChanges } from '../../model/picture-facts.ts';
import type { RunStore } from '../../model/run-store.ts';
import { useRunStore, useTree } from '../../model/use-run.ts';
import { firstOpen } from './active-nodes.ts';
import { useOpenParts } from './open-parts.ts';

export interface ShownGraph {
  /** Null until it is known what to unfold. */
  readonly view: GraphView | null;
  readonly error: Error | null;
  readonly toggle: (id: string) => void;
  /** Unfolds these too. */
  readonly open: (ids: readonly string[]) => void;
}

/** The picture of the run that is open, with its folds. Read again when the run has grown new parts. */
export function useGraphView(): ShownGraph {
  const store = useRunStore();
  const { root } = store.get();
  const [chosen, setChosen] = useOpenParts(root);
  const isLoaded = useTree((tree) => tree.isLoaded);
  const changes = useCalm(useTree(pictureChanges));
  const first = useQuery({
    queryKey: ['graph', root, 'first'],
    queryFn: async ({ signal }) => await firstPicture(store, signal),
    enabled: isLoaded && chosen === null,
    staleTime: Infinity,
  });
  const open = chosen ?? first.data?.open ?? null;
  const { data, error } = useQuery({
    queryKey: ['graph', root, open?.join(',') ?? '', changes],
    queryFn: async ({ signal }) => await picture(root, open, signal),
    // The picture before stays until the next one is there.
    placeholderData: (before) => before ?? first.data?.view,
    enabled: open !== null,
    staleTime: Infinity,
  });
  const toggle = useCallback(
    (id: string) => setChosen(open?.includes(id) === true ? open.filter((one) => one !== id) : [...(open ?? []), id]),
    [open, setChosen],
  );
  const unfold = useCallback(
    (ids: readonly string[]) => {
      // What cannot be unfolded is not asked for again and again.
      if (ids.some((id) => open?.includes(id) !== true)) setChosen([...new Set([...(open ?? []), ...ids])]);
    },
    [open, setChosen],
  );
  return { view: data ?? null, error: first.error ?? error, toggle, open: unfold };
}

async function picture(root: string, open: readonly string[] | null, signal: AbortSignal): Promise<GraphView> {
  const words = { open: open === null ? null : [NOTHING, ...open].join(',') };
  return await api.get<GraphView>(runPath(root, '/graph'), words, { signal });
}

/** No node is called so: an empty list of open ones is not the same as none said. */
const NOTHING = '-';

interface FirstPicture {
  readonly view: GraphView;
  readonly open: readonly string[];
}

/** What is unfolded at first may have something active inside once more. */
async function firstPicture(store: RunStore, signal: AbortSignal): Promise<FirstPicture> {
  const { root } = store.get();
  let view = await picture(root, null, signal);
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

/** A value once it has not changed for a moment: units often come one after the other. */
function useCalm(value: number): number {
  const [calm, setCalm] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), CALM_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return calm;
}

const CALM_MS = 250;
