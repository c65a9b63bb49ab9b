import { useQuery } from '@tanstack/react-query';
import type { ArtifactNow, ArtifactView } from '../../../src/protocol/artifacts/artifact-view.ts';
import { api, runPath } from '../../api/client.ts';
import { useTree } from '../../model/use-run.ts';

interface Listed {
  readonly items: readonly ArtifactView[];
}

/** How the file of each is now, which only the server can see; by id. */
export function useArtifactsNow(count: number): ReadonlyMap<string, ArtifactNow> {
  const root = useTree((tree) => tree.root);
  const { data } = useQuery({
    queryKey: ['artifacts', root, count],
    queryFn: ({ signal }) => api.get<Listed>(runPath(root, '/artifacts'), {}, { signal }),
    enabled: count > 0,
    placeholderData: (before) => before,
    retry: false,
  });
  return new Map((data?.items ?? []).flatMap(({ id, now }) => (now === undefined ? [] : [[id, now] as const])));
}
