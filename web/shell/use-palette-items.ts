import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import type { RunPage } from '../../src/protocol/web/run-card.ts';
import { api } from '../api/client.ts';
import { workflowsQuery } from '../api/queries.ts';
import { TABS } from '../model/selection.ts';
import { cardWord } from '../model/settled-word.ts';
import { shortcuts } from '../ui/use-shortcut.ts';
import { overlays } from './overlays.ts';
import type { PaletteItem } from './palette-items.ts';

/** All that can be done or gone to from here. */
export function usePaletteItems(query: string, isOpen: boolean): readonly PaletteItem[] {
  return [...usePages(), ...useTabs(), ...useActions(), ...useRuns(query, isOpen), ...useWorkflows(isOpen)];
}

function usePages(): readonly PaletteItem[] {
  const navigate = useNavigate();
  const page = (label: string, to: '/' | '/inbox' | '/workflows' | '/compare', keys?: string): PaletteItem => ({
    id: to,
    group: 'Go to',
    label,
    detail: '',
    ...(keys === undefined ? {} : { keys }),
    run: () => void navigate({ to }),
  });
  return [
    page('Board', '/', 'g r'),
    page('Inbox', '/inbox', 'g i'),
    page('Workflows', '/workflows', 'g w'),
    page('Compare two runs', '/compare'),
  ];
}

function useTabs(): readonly PaletteItem[] {
  const navigate = useNavigate();
  const isRun = useLocation({ select: ({ pathname }) => pathname.startsWith('/runs/') });
  if (!isRun) return [];
  return TABS.map((tab) => ({
    id: `tab ${tab}`,
    group: 'Go to',
    label: `${tab.slice(0, 1).toUpperCase()}${tab.slice(1)}`,
    detail: 'of this run',
    run: () => void navigate({ to: '.', search: (before: Readonly<Record<string, unknown>>) => ({ ...before, tab }) }),
  }));
}

const NAVIGATION = /^g |^mod\+k$/;

function useActions(): readonly PaletteItem[] {
  const list = useSyncExternalStore(shortcuts.subscribe, shortcuts.list);
  return [...new Map(list.map((one) => [one.keys, one])).values()]
    .filter(({ keys }) => !NAVIGATION.test(keys))
    .map(({ keys, label, run }) => ({ id: `key ${keys}`, group: 'Do', label, detail: '', keys, run }));
}

function useRuns(query: string, isOpen: boolean): readonly PaletteItem[] {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ['palette runs', query],
    queryFn: ({ signal }) => api.get<RunPage>('/api/runs', { q: query, limit: 8 }, { signal }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  return (data?.cards ?? []).map((card) => ({
    id: `run ${card.run}`,
    group: 'Runs',
    label: card.title === '' ? card.run : card.title,
    detail: [card.workflow, cardWord(card), card.run, card.project].join(' · '),
    run: () => void navigate({ to: '/runs/$run', params: { run: card.run } }),
  }));
}

function useWorkflows(isOpen: boolean): readonly PaletteItem[] {
  const navigate = useNavigate();
  const { data = [] } = useQuery({ ...workflowsQuery, enabled: isOpen });
  return data.flatMap(({ name, description }) => [
    {
      id: `start ${name}`,
      group: 'Do' as const,
      label: `Start ${name}`,
      detail: description,
      run: () => overlays.start(name),
    },
    {
      id: `workflow ${name}`,
      group: 'Workflows' as const,
      label: name,
      detail: description,
      run: () => void navigate({ to: '/workflows/$name', params: { name } }),
    },
  ]);
}
