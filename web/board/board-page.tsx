import type { BoardNow } from './board-column.tsx';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Column, RunPage } from '../../src/protocol/web/run-card.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Tabs } from '../ui/boxes.tsx';
import { useIsNarrow } from '../ui/use-media.ts';
import { BoardColumnView, COLUMN_WORDS } from './board-column.tsx';
import { type BoardSearch, BoardStore, COLUMNS, parseBoardSearch, type ReadPage } from './board.ts';
import { NothingYet } from './nothing-yet.tsx';
import { api } from '../api/client.ts';
import { hub, useLink, useWindowFocus } from '../api/hub.ts';
import { useShortcut } from '../ui/shortcuts.ts';
import { useQuery } from '@tanstack/react-query';
import { Archive, Search } from 'lucide-react';
import { aboutQuery, workflowsQuery } from '../api/queries.ts';
import { Button, Select, TextField } from '../ui/controls.tsx';
import { useTyped } from '../ui/use-typed.ts';

interface Props {
  readonly search: BoardSearch;
  readonly onChange: (search: BoardSearch) => void;
}

function BoardFilters({ search, onChange }: Props): ReactNode {
  const { data: about } = useQuery(aboutQuery);
  const { data: workflows = [] } = useQuery(workflowsQuery);
  const names = [
    ...new Set([...workflows.map(({ name }) => name), ...(search.workflow === undefined ? [] : [search.workflow])]),
  ];
  const projects = [...new Set([about?.project, search.project])].filter((project) => project !== undefined);
  const change = (part: Readonly<Record<string, string>>): void => onChange(parseBoardSearch({ ...search, ...part }));
  return (
    <search className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
      <Words words={search.q ?? ''} onChange={(q) => change({ q })} />
      <Select
        aria-label="Workflow"
        className="max-md:flex-1"
        value={search.workflow ?? ''}
        onChange={(workflow) => change({ workflow })}
        options={[{ value: '', label: 'All workflows' }, ...names.map((name) => ({ value: name, label: name }))]}
      />
      <Select
        aria-label="Project"
        className="max-md:flex-1"
        value={search.project ?? ''}
        onChange={(project) => change({ project })}
        options={[
          { value: '', label: 'All projects' },
          ...projects.map((project) => ({
            value: project,
            label: project === about?.project ? 'This project' : project,
          })),
        ]}
      />
      <Button
        aria-pressed={search.archived === 'true'}
        className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
        onClick={() => change({ archived: search.archived === 'true' ? '' : 'true' })}
      >
        <Archive size={14} aria-hidden /> Archived
      </Button>
    </search>
  );
}

/** Puts the typed text into the address at a pause. */
function Words({ words, onChange }: { readonly words: string; readonly onChange: (words: string) => void }): ReactNode {
  const [typed, setTyped] = useTyped(words, onChange);
  return (
    <div className="relative min-w-40 flex-1 max-md:basis-full md:max-w-80">
      <Search size={14} aria-hidden className="absolute top-[7px] left-2 text-muted" />
      <TextField
        data-search
        type="search"
        aria-label="Search in titles, workflows, ids and projects"
        placeholder="Search runs"
        className="pl-7"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}

const PAGE = 60;

function useBoard({ q, workflow, project, archived }: BoardSearch): BoardNow {
  const store = useMemo(() => {
    return new BoardStore(parseBoardSearch({ q, workflow, project, archived }), readPage);
  }, [q, workflow, project, archived]);
  const { opening } = useLink();
  useEffect(() => hub().follow({ cards: true, heard: store.hear }), [store]);
  const refresh = useCallback(() => void store.refresh(), [store]);
  useEffect(refresh, [refresh, opening]);
  useWindowFocus(refresh);
  const board = useSyncExternalStore(store.subscribe, store.board);
  return { board, failure: store.failure(), store };
}

const readPage: ReadPage = ({ q: text, archived: isArchived, ...search }) =>
  api.get<RunPage>('/api/runs', { ...search, text, isArchived, limit: PAGE });

/** j and k go through the cards of a column, h and l from column to column. Enter opens, as everywhere. */
function useCardKeys(): void {
  useShortcut('j', 'Next run', () => step(1));
  useShortcut('k', 'Previous run', () => step(-1));
  useShortcut('h', 'Column to the left', () => sideStep(-1));
  useShortcut('l', 'Column to the right', () => sideStep(1));
  useShortcut('/', 'Search', () => document.querySelector<HTMLElement>('[data-search]')?.focus());
}

const cardsIn = (place: ParentNode): readonly HTMLElement[] =>
  [...place.querySelectorAll<HTMLElement>('[data-card]')].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );

function step(by: number): void {
  const column = document.activeElement?.closest('section') ?? document;
  const cards = cardsIn(column === document ? (sections()[0] ?? document) : column);
  const at = cards.findIndex((card) => card === document.activeElement);
  focus(cards[at === -1 ? 0 : Math.min(cards.length - 1, Math.max(0, at + by))]);
}

function sideStep(by: number): void {
  const columns = sections();
  const at = columns.findIndex((column) => column.contains(document.activeElement));
  focus(cardsIn(columns[at === -1 ? 0 : (at + by + columns.length) % columns.length] ?? document)[0]);
}

const sections = (): readonly Element[] =>
  [...document.querySelectorAll('main section')].filter((column) => column.querySelector('[data-card]') !== null);

function focus(card: HTMLElement | undefined): void {
  card?.focus();
  card?.scrollIntoView({ block: 'nearest' });
}

export function BoardPage(): ReactNode {
  usePageTitle('Board');
  const search = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const change = useCallback((next: BoardSearch) => void navigate({ search: next, replace: true }), [navigate]);
  const now = useBoard(search);
  const isNarrow = useIsNarrow();
  useCardKeys();
  const { board, failure } = now;
  const isRead = COLUMNS.every((column) => board.columns[column].isRead);
  const isEmpty = isRead && COLUMNS.every((column) => board.counts[column] === 0);
  return (
    <>
      <h1 className="sr-only">Board of runs</h1>
      <BoardFilters search={search} onChange={change} />
      {isEmpty || failure !== null ? (
        <NothingYet failure={failure} isSearched={Object.keys(search).length > 0} onClear={() => change({})} />
      ) : isNarrow ? (
        <NarrowBoard now={now} />
      ) : (
        <div className="grid min-h-0 flex-1 grid-cols-[repeat(5,minmax(13rem,1fr))] divide-x divide-line overflow-x-auto">
          {COLUMNS.map((column) => (
            <BoardColumnView key={column} column={column} now={now} />
          ))}
        </div>
      )}
    </>
  );
}

/** One column at a time, the one that needs the person first. */
function NarrowBoard({ now }: { readonly now: BoardNow }): ReactNode {
  const { counts } = now.board;
  const [chosen, setChosen] = useState<Column | null>(null);
  const order: readonly Column[] = ['needs-you', 'ready', 'failed', 'running', 'done'];
  const column = chosen ?? order.find((one) => counts[one] > 0) ?? 'running';
  const tabs = order.map((value) => ({
    value,
    label: COLUMN_WORDS[value].title,
    badge: <span className="num text-muted">{counts[value]}</span>,
  }));
  return (
    <Tabs label="Columns" tabs={tabs} value={column} onChange={setChosen}>
      <BoardColumnView column={column} now={now} isBare />
    </Tabs>
  );
}
