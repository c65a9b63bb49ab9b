import { useQuery } from '@tanstack/react-query';
import type { Shown } from '../../../src/protocol/operations/views.ts';
import type { BranchLine } from '../../../src/protocol/web/changes-page.ts';
import { api, runPath } from '../../api/client.ts';

/** Null until it is known, and where the project is in no repository: then there is no such choice. */
export function useBranches(run: string): readonly BranchLine[] | null {
  const { data } = useQuery({
    queryKey: ['branches', run],
    queryFn: ({ signal }) => api.get<Shown<'branches'>>(runPath(run, '/branches'), {}, { signal }),
    staleTime: 30_000,
    retry: false,
  });
  return data?.isGit === true ? data.items : null;
}
