import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { GraphView } from '../../../src/protocol/web/graph-view.ts';
import { api, runPath } from '../../api/client.ts';
import { pictureChanges } from '../../model/picture-facts.ts';
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
  const [open, setOpen] = useOpenParts(root);
  const isLoaded = useTree((tree) => tree.isLoaded);
  const changes = useCalm(useTree(pictureChanges));
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['graph', root, open === null ? null : open.join(','), changes],
    queryFn: async ({ signal }) =>
      await api.get<GraphView>(runPath(root, '/graph'), { open: open === null ? null : [NOTHING, ...open].join(',') }, { signal }),
    placeholderData: keepPreviousData,
    enabled: isLoaded,
    staleTime: Infinity,
  });
  const [rounds, setRounds] = useState(0);
  const isSettled = rounds >= MOST_ROUNDS;
  useEffect(() => {
    if (data === undefined || isPlaceholderData || isSettled) return;
    const first = firstOpen(data, store.get());
    // What somebody chose before stays; what is unfolded at first may have something active inside once more.
    const isKept = open !== null && (rounds === 0 || first.length === open.length);
    setRounds(isKept ? MOST_ROUNDS : rounds + 1);
    if (!isKept) setOpen(first);
  }, [data, isPlaceholderData, isSettled, open, rounds, setOpen, store]);
  return {
    view: isSettled ? (data ?? null) : null,
    error,
    toggle: (id) => setOpen(open?.includes(id) === true ? open.filter((one) => one !== id) : [...(open ?? []), id]),
    open: (ids) => setOpen([...new Set([...(open ?? []), ...ids])]),
  };
}

/** No node is called so: an empty list of open ones is not the same as none said. */
const NOTHING = '-';
const MOST_ROUNDS = 3;

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
