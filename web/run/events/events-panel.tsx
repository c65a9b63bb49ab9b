import { useDeferredValue, useMemo, type ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { Empty } from '../../ui/empty.tsx';
import { VirtualList } from '../transcript/virtual-list.tsx';
import { EventFilters } from './event-filters.tsx';
import { EventRow } from './event-row.tsx';
import { eventRows } from './event-rows.ts';
import { useEventFilter } from './use-event-filter.ts';

/** Every record as it was journaled, of the run and of those below it. */
export function EventsPanel(): ReactNode {
  const tree = useDeferredValue(
    useTree(
      (one) => one,
      (a, b) => a.runs === b.runs,
    ),
  );
  const [selection] = useSelection();
  const [filter] = useEventFilter();
  const sought = useDeferredValue(filter);
  const rows = useMemo(() => eventRows(tree, sought), [tree, sought]);
  const of = selection.run ?? tree.root;
  const chosen =
    selection.seq === undefined ? -1 : rows.findIndex(({ run, record }) => run === of && record.seq === selection.seq);
  const keys = useMemo(() => rows.map(({ run, record }) => `${run} ${record.seq}`), [rows]);
  const startedAt = tree.runs.get(tree.root)?.lines[0]?.record.at ?? 0;
  return (
    <>
      <EventFilters count={rows.length} />
      {rows.length === 0 ? (
        <Empty
          title="No record fits"
          why="Take a part of the filter away: records are looked for by kind, by run and by any text in them."
        />
      ) : (
        <VirtualList
          label="Records"
          keys={keys}
          render={(index) => {
            const line = rows[index];
            return line === undefined ? null : (
              <EventRow line={line} root={tree.root} startedAt={startedAt} isChosen={index === chosen} />
            );
          }}
          estimate={25}
          chosen={chosen}
          choice={`${of} ${selection.seq}`}
          isLive={tree.runs.get(tree.root)?.snapshot.status === 'running'}
        />
      )}
    </>
  );
}
