import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RunCard, RunPage } from '../../src/protocol/web/run-card.ts';
import { api } from '../api/client.ts';
import { hub, useLink } from '../api/hub.ts';
import { useTree } from '../model/use-run.ts';

/** What the board knows of this run and its records do not tell: its title, and whether a process drives it. Null for a child. */
export function useRunCard(): RunCard | null {
  const root = useTree((tree) => tree.root);
  const { opening } = useLink();
  const queries = useQueryClient();
  const { data = null } = useQuery({
    queryKey: ['card', root, opening],
    queryFn: async ({ signal }) => {
      const { cards } = await api.get<RunPage>('/api/runs', { q: root, limit: 10 }, { signal });
      return cards.find(({ run }) => run === root) ?? null;
    },
    placeholderData: (before) => before,
  });
  useEffect(
    () =>
      hub().follow({
        cards: true,
        heard: ({ cards }) => {
          const card = cards.findLast(({ run }) => run === root);
          if (card !== undefined) void take(queries, card);
        },
      }),
    [queries, root],
  );
  return data;
}

/** What was asked for before it was heard is older. */
async function take(queries: QueryClient, card: RunCard): Promise<void> {
  const filter = { queryKey: ['card', card.run] };
  await queries.cancelQueries(filter);
  queries.setQueriesData(filter, card);
}
