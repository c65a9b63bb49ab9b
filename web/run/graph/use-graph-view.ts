import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { GraphView } from '../../../src/protocol/web/graph-view.ts';
import { changesOfRun } from '../../model/run-history.ts';
import { useRunStore, useTree } from '../../model/use-run.ts';
import { firstPicture, picture, untilReached } from './first-picture.ts';
import { openIn, openText, useSelection } from '../../model/selection.ts';

/** A picture that was read again and is the same stays the same object, so that nothing of it is drawn again. */
export class LastPicture {
  #view: GraphView | null = null;

  same(view: GraphView | null): GraphView | null {
    if (view !== null && view.hash === this.#view?.hash) return this.#view;
    this.#view = view;
    return view;
  }
}

/** The unfolded parts of a picture, shared by the graph and the outline and kept in the address. Null: no choice yet. */
export function useOpenParts(): readonly [readonly string[] | null, (open: readonly string[]) => void] {
  const [{ open }, select] = useSelection();
  const chosen = useMemo(() => openIn(open), [open]);
  return [chosen, useCallback((next) => select({ open: openText(next) }), [select])];
}

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
  const [chosen, setChosen] = useOpenParts();
  const changes = useCalm(useTree((tree) => changesOfRun(tree, 'picture')));
  const first = useQuery({ ...firstPicture(store), enabled: chosen === null });
  const [last] = useState(() => new LastPicture());
  const open = chosen ?? first.data?.open ?? null;
  const { data, error } = useQuery({
    queryKey: ['graph', root, open?.join(',') ?? '', changes],
    queryFn: async ({ signal }) => await picture(root, open, signal),
    // The picture before stays until the next one is there.
    placeholderData: (before) => before ?? first.data?.view,
    enabled: open !== null,
    staleTime: Infinity,
    retry: untilReached,
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
  return { view: last.same(data ?? null), error: first.error ?? error, toggle, open: unfold };
}

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
