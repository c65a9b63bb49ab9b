import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { RunCard, RunPage } from '../../src/protocol/web/run-card.ts';
import { api, runPath } from '../api/client.ts';
import { hub, useLink, useWindowFocus } from '../api/hub.ts';
import type { RunStore } from '../model/run-store.ts';
import { useTree } from '../model/use-run.ts';
import type { RunView } from '../../src/protocol/run-view.ts';

/** The board's facts on this run that its records lack, such as its title. Null for a child. */
export function useRunCard(): RunCard | null {
  const root = useTree((tree) => tree.root);
  const card = useTopCard(topOf(root));
  return card?.run === root ? card : null;
}

/** Keeps the store informed whether a process drives the run, or why none does; the process of a child is that of the run above it. */
export function useDriven(store: RunStore, root: string): void {
  const { driven = null, queued = null } = useTopCard(topOf(root)) ?? {};
  useEffect(() => store.setDriven(driven, queued), [store, driven, queued]);
}

const topOf = (run: string): string => run.split('/', 1)[0] ?? run;

function useTopCard(top: string): RunCard | null {
  const { opening } = useLink();
  const queries = useQueryClient();
  const { data = null } = useQuery({
    queryKey: ['card', top, opening],
    queryFn: async ({ signal }) => {
      const { cards } = await api.get<RunPage>('/api/runs', { text: top, limit: 10, isArchived: true }, { signal });
      return cards.find(({ run }) => run === top) ?? null;
    },
    placeholderData: (before) => before,
  });
  useWindowFocus(useCallback(() => void queries.invalidateQueries({ queryKey: ['card', top] }), [queries, top]));
  useEffect(
    () =>
      hub().follow({
        cards: true,
        heard: ({ cards }) => {
          const card = cards.findLast(({ run }) => run === top);
          if (card !== undefined) void take(queries, card);
        },
      }),
    [queries, top],
  );
  return data;
}

/** Cancels earlier requests, whose answers would be older than this card. */
async function take(queries: QueryClient, card: RunCard): Promise<void> {
  const filter = { queryKey: ['card', card.run] };
  await queries.cancelQueries(filter);
  queries.setQueriesData(filter, card);
}

/** Facts on the run outside its records: its forks, and whether its definition's files have changed. */
export function useRunView(isWanted = true): RunView | null {
  const root = useTree((tree) => tree.root);
  const isLoaded = useTree((tree) => tree.isLoaded);
  const isOver = useTree((tree) => tree.runs.get(tree.root)?.snapshot.result !== null);
  const { data } = useQuery({
    queryKey: ['view', root, isOver],
    queryFn: ({ signal }) => api.get<RunView>(runPath(root), {}, { signal }),
    enabled: isLoaded && isWanted,
    placeholderData: (before) => before,
    staleTime: 30_000,
    retry: false,
  });
  return data ?? null;
}
