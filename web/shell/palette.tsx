import { Dialog } from '@base-ui/react/dialog';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { shortcuts, useShortcut, useShortcutEverywhere } from '../ui/shortcuts.ts';
import { useRoleReason } from '../ui/use-role.ts';
import { overlays, useOverlay } from './overlays.ts';
import { matching, type PaletteItem } from './palette-items.ts';
import { focusNow } from '../ui/boxes.tsx';
import { classNames, Kbd } from '../ui/controls.tsx';
import { visibleText } from '../ui/text.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RunPage } from '../../src/protocol/web/run-card.ts';
import { api } from '../api/client.ts';
import { aboutQuery, workflowsQuery } from '../api/queries.ts';
import { TABS } from '../model/selection.ts';
import { cardWord } from '../model/run-result.ts';

interface Props {
  readonly items: readonly PaletteItem[];
  readonly at: number;
  readonly onChoose: (place: number) => void;
}

function PaletteList({ items, at, onChoose }: Props): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: it returns a promise in new browsers, which is no clean-up.
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  if (items.length === 0) return <p className="p-4 text-muted">Nothing here has that name.</p>;
  return (
    <div ref={list} id="palette-list" role="listbox" aria-label="Found" className="min-h-0 overflow-y-auto p-1">
      {items.map((item, place) => (
        <div key={item.id} role="presentation">
          {items[place - 1]?.group !== item.group && (
            <div role="presentation" className="px-2 pt-2 pb-0.5 text-xs font-medium text-muted">
              {item.group}
            </div>
          )}
          <Line item={item} place={place} isChosen={place === at} onChoose={onChoose} />
        </div>
      ))}
    </div>
  );
}

interface LineProps {
  readonly item: PaletteItem;
  readonly place: number;
  readonly isChosen: boolean;
  readonly onChoose: (place: number) => void;
}

function Line({ item, place, isChosen, onChoose }: LineProps): ReactNode {
  return (
    <div
      id={`palette-${place}`}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onClick={() => onChoose(place)}
      onKeyDown={() => undefined}
      className={classNames('flex items-center gap-2 rounded-md px-2 py-1.5', isChosen ? 'bg-hover' : 'hover:bg-hover')}
    >
      <span className="min-w-0 shrink-0 truncate font-medium">{visibleText(item.label)}</span>
      <span className="min-w-0 flex-1 truncate text-sm text-muted">{visibleText(item.detail)}</span>
      {item.keys !== undefined && <Kbd keys={item.keys} />}
    </div>
  );
}

/** All that can be done or gone to from here. */
function usePaletteItems(query: string, isOpen: boolean): readonly PaletteItem[] {
  return [...usePages(), ...useTabs(), ...useActions(), ...useRuns(query, isOpen), ...useWorkflows(isOpen)];
}

function usePages(): readonly PaletteItem[] {
  const navigate = useNavigate();
  const { data: about } = useQuery(aboutQuery);
  const page = (
    label: string,
    to: '/' | '/inbox' | '/workflows' | '/workers' | '/compare',
    keys?: string,
  ): PaletteItem => ({
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
    ...(about?.hasWorkers === true ? [page('Workers', '/workers')] : []),
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
    queryFn: ({ signal }) => api.get<RunPage>('/api/runs', { text: query, limit: 8 }, { signal }),
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

/** Everything by its name: runs, workflows, actions, tabs. */
export function Palette(): ReactNode {
  const isOpen = useOverlay()?.kind === 'palette';
  const navigate = useNavigate();
  useShortcutEverywhere('mod+k', 'Open the palette', () => overlays.show('palette'));
  useShortcut('g r', 'Go to the board of runs', () => void navigate({ to: '/' }));
  useShortcut('g i', 'Go to the inbox', () => void navigate({ to: '/inbox' }));
  useShortcut('g w', 'Go to the workflows', () => void navigate({ to: '/workflows' }));
  const isStarting = useRoleReason('start') === null;
  const field = useRef<HTMLInputElement>(null);
  useShortcut('c', 'Start a run', isStarting ? () => overlays.start() : null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(isOn) => isOn || overlays.close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/35" />
        <Dialog.Popup
          aria-label="Palette"
          initialFocus={() => focusNow(field.current)}
          className="fixed top-[10vh] left-1/2 z-40 flex max-h-[70vh] w-[min(620px,94vw)] -translate-x-1/2 flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-float"
        >
          <PaletteSearch field={field} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteSearch({ field }: { readonly field: Ref<HTMLInputElement> }): ReactNode {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const items = matching(usePaletteItems(useDeferredValue(query), true), query);
  const at = Math.min(chosen, Math.max(0, items.length - 1));
  const choose = (place: number): void => {
    overlays.close();
    items[place]?.run();
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((at + step + items.length) % Math.max(1, items.length));
    else if (event.key === 'Enter') choose(at);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search size={15} aria-hidden className="text-muted" />
        <input
          ref={field}
          role="combobox"
          aria-label="Search for runs, workflows and actions"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={items[at] === undefined ? undefined : `palette-${at}`}
          placeholder="Runs, workflows, actions …"
          className="h-11 flex-1 bg-transparent text-lg outline-none placeholder:text-muted"
          value={query}
          onKeyDown={press}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
        />
      </div>
      <PaletteList items={items} at={at} onChoose={choose} />
    </>
  );
}
