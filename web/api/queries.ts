import { queryOptions } from '@tanstack/react-query';
import type { AccessRole } from '../../src/protocol/operations/access.ts';
import type { WorkerLine } from '../../src/protocol/operations/answers/worker.ts';
import type { InboxPage } from '../../src/protocol/web/inbox-page.ts';
import type { WorkflowLine, WorkflowPage } from '../../src/protocol/web/workflow-page.ts';
import { api } from './client.ts';

export interface About {
  readonly version: string;
  readonly project: string;
  readonly home: string;
  /** Machines share the journal. */
  readonly hasWorkers: boolean;
  /** The visitor as the server knows it. */
  readonly visitor: { readonly name: string; readonly role: AccessRole; readonly isTeam: boolean };
}

export const aboutQuery = queryOptions({
  queryKey: ['about'],
  queryFn: ({ signal }) => api.get<About>('/api/about', {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Open questions of all runs. Read again when a card changes them, and while runs are still being read. */
export const inboxQuery = queryOptions({
  queryKey: ['questions'],
  queryFn: ({ signal }) => api.get<InboxPage>('/api/questions', {}, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.unread.some(({ damage }) => damage === null) === true ? AGAIN_MS : false,
});

const AGAIN_MS = 3000;

export const questionsQuery = queryOptions({ ...inboxQuery, select: ({ questions }: InboxPage) => questions });

/** Read again while the page is open: workers come and go without a word. */
export const workersQuery = queryOptions({
  queryKey: ['workers'],
  queryFn: async ({ signal }) =>
    (await api.get<{ readonly items: readonly WorkerLine[] }>('/api/workers', {}, { signal })).items,
  refetchInterval: AGAIN_MS,
});

export const workflowsQuery = queryOptions({
  queryKey: ['workflows'],
  queryFn: async ({ signal }) =>
    (await api.get<{ readonly items: readonly WorkflowLine[] }>('/api/workflows', {}, { signal })).items,
});

export const workflowQuery = (name: string) =>
  queryOptions({
    queryKey: ['workflows', name],
    queryFn: ({ signal }) => api.get<WorkflowPage>(`/api/workflows/${encodeURIComponent(name)}`, {}, { signal }),
  });
