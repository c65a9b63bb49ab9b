import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ChangesPage } from '../../../src/protocol/web/changes-page.ts';
import { api, runPath } from '../../api/client.ts';
import type { DiffRange } from '../../model/diff-bases.ts';
import { diffFiles, type DiffFile } from './diff-files.ts';

export interface ShownChanges {
  readonly page: ChangesPage | null;
  readonly files: readonly DiffFile[];
  readonly error: Error | null;
  readonly isReading: boolean;
}

interface Wanted {
  readonly run: string;
  readonly workspace: string;
  /** Of the workspace: what was read of an older one is out of date. */
  readonly version: number;
  readonly range: DiffRange;
}

/** What a workspace holds that it did not hold then. Read again whenever somebody changes it. */
export function useChanges({ run, workspace, version, range }: Wanted): ShownChanges {
  const { data, error, isFetching } = useQuery({
    queryKey: ['changes', run, workspace, range, version],
    queryFn: ({ signal }) =>
      api.get<ChangesPage>(
        runPath(run, '/changes'),
        { workspace, ...range, project: range.project === true ? '1' : null },
        { signal },
      ),
    placeholderData: (before, query) => (query?.queryKey[2] === workspace ? before : undefined),
    retry: false,
  });
  const files = useMemo(() => (data === undefined ? NONE : diffFiles(data)), [data]);
  return { page: data ?? null, files, error, isReading: isFetching };
}

const NONE: readonly DiffFile[] = [];
