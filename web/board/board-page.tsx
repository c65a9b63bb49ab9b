import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState, type ReactNode } from 'react';
import type { Column } from '../../src/protocol/web/run-card.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Tabs } from '../ui/tabs.tsx';
import { useIsNarrow } from '../ui/use-media.ts';
import { BoardColumnView } from './board-column.tsx';
import { BoardFilters } from './board-filters.tsx';
import { COLUMN_WORDS } from './column-words.ts';
import { COLUMNS } from './board.ts';
import type { BoardSearch } from './board-search.ts';
import { NothingYet } from './nothing-yet.tsx';
import { useBoard, type BoardNow } from './use-board.ts';
import { useCardKeys } from './use-card-keys.ts';

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
        <div className="grid min-h-0 flex-1 grid-cols-4 divide-x divide-line">
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
  const order: readonly Column[] = ['needs-you', 'running', 'review', 'done'];
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
