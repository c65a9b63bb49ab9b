import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { RunPage } from '../../src/protocol/web/run-card.ts';
import { api } from '../api/client.ts';
import { hub, useLink } from '../api/hub.ts';
import { useWindowFocus } from '../api/use-window-focus.ts';
import type { Board } from './board.ts';
import { BoardStore, type ReadPage } from './board-store.ts';
import type { BoardSearch } from './board-search.ts';

const PAGE = 60;

export interface BoardNow {
  readonly board: Board;
  readonly failure: unknown;
  readonly store: BoardStore;
}

export function useBoard({ q, workflow, project }: BoardSearch): BoardNow {
  const store = useMemo(() => {
    const search = { q, workflow, project };
    return new BoardStore(parsed(search), readPage);
  }, [q, workflow, project]);
  const { opening } = useLink();
  useEffect(() => hub().follow({ cards: true, heard: store.hear }), [store]);
  const refresh = useCallback(() => void store.refresh(), [store]);
  useEffect(refresh, [refresh, opening]);
  useWindowFocus(refresh);
  const board = useSyncExternalStore(store.subscribe, store.board);
  return { board, failure: store.failure(), store };
}

const readPage: ReadPage = (search) => api.get<RunPage>('/api/runs', { ...search, limit: PAGE });

const parsed = (search: { readonly [Key in keyof BoardSearch]: BoardSearch[Key] | undefined }): BoardSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
