import { usePrefetchQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { runSource } from '../api/run-source.ts';
import { RunStore } from '../model/run-store.ts';
import { RunStoreContext } from '../model/use-run.ts';
import { firstPicture } from './graph/first-picture.ts';
import { loadGraph } from './graph/load-graph.ts';
import { RunFrame } from './run-frame.tsx';

/** The page of one run. All it shows is a fold of the run's records, read and followed here once. */
export function RunScreen(): ReactNode {
  const { run } = useParams({ from: '/runs/$run' });
  return <OpenRun key={run} run={run} />;
}

function OpenRun({ run }: { readonly run: string }): ReactNode {
  const [store] = useState(() => new RunStore(run, runSource));
  const queries = useQueryClient();
  usePrefetchQuery(firstPicture(store));
  useEffect(() => {
    void loadGraph();
    const close = store.open();
    return () => {
      close();
      // Else it would wait for this store for ever, and whoever comes back would wait with it.
      void queries.cancelQueries({ queryKey: firstPicture(store).queryKey });
    };
  }, [store, queries]);
  return (
    <RunStoreContext value={store}>
      <RunFrame />
    </RunStoreContext>
  );
}
