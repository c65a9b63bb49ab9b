import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Fact } from '../../../src/core/fact.ts';
import type { PageRecord } from '../../../src/protocol/web/record-page.ts';
import { api, runPath } from '../../api/client.ts';

export interface WholeRecord {
  readonly ask: () => void;
  /** Null until it is there. */
  readonly fact: Fact | null;
  readonly isReading: boolean;
  readonly problem: string | null;
}

/** A record with texts of any length, once somebody asks for it. */
export function useRecord(run: string, seq: number): WholeRecord {
  const [isWanted, setWanted] = useState(false);
  const { data, error, isFetching } = useQuery({
    queryKey: ['record', run, seq],
    queryFn: ({ signal }) => api.get<PageRecord>(runPath(run, `/records/${seq}`), {}, { signal }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
  const fact = isWanted ? (data?.record.fact ?? null) : null;
  return { ask: () => setWanted(true), fact, isReading: isFetching, problem: error?.message ?? null };
}
