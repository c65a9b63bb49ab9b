import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { ApiProblem } from '../api/client.ts';
import { aboutQuery } from '../api/queries.ts';
import { session } from '../api/session.ts';
import { ToastList } from '../ui/toasts.tsx';
import { LockedPage } from './locked-page.tsx';
import { router } from './router.tsx';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      // What the server refused it will refuse again; one that does not answer may come back.
      retry: (count, error) => error instanceof ApiProblem && error.isUnreachable && count < 20,
      retryDelay: 1500,
    },
  },
});

export function App(): ReactNode {
  const state = useSyncExternalStore(session.subscribe, session.state);
  useEffect(() => {
    // The next visitor may be a different person.
    if (state === 'locked') queries.removeQueries({ queryKey: aboutQuery.queryKey });
  }, [state]);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <Tooltip.Provider delay={350} closeDelay={50}>
          {state === 'open' && <RouterProvider router={router} />}
          {state === 'locked' && <LockedPage onOpen={() => void queries.resetQueries()} />}
          <ToastList />
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  );
}
