import { useQuery } from '@tanstack/react-query';
import type { RunView } from '../../../src/protocol/run-view.ts';
import { api, runPath } from '../../api/client.ts';
import { useTree } from '../../model/use-run.ts';

/** What is known of the run beside its records: its forks, and whether its files give another definition now. */
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
