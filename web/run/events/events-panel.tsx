import { useDeferredValue, useMemo, useRef, useState, type ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { Empty } from '../../ui/empty.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useShortcut } from '../../ui/use-shortcut.ts';
import { OpenRowsContext, useOpenRows } from '../transcript/open-rows.ts';
import { VirtualList } from '../transcript/virtual-list.tsx';
import { EventRow } from './event-row.tsx';
import { eventKinds, eventRows, type EventFilter } from './event-rows.ts';

/** Every record as it was journaled, of the run and of those below it. */
export function EventsPanel(): ReactNode {
  const tree = useDeferredValue(
    useTree(
      (one) => one,
      (a, b) => a.runs === b.runs,
    ),
  );
  const [selection] = useSelection();
  const [filter, setFilter] = useState<EventFilter>({ kind: '', run: '', text: '' });
  const sought = useDeferredValue(filter);
  const rows = useMemo(() => eventRows(tree, sought), [tree, sought]);
  const open = useOpenRows();
  const of = selection.run ?? tree.root;
  const chosen =
    selection.seq === undefined ? -1 : rows.findIndex(({ run, record }) => run === of && record.seq === selection.seq);
  const keys = useMemo(() => rows.map(({ run, record }) => `${run} ${record.seq}`), [rows]);
  const startedAt = tree.runs.get(tree.root)?.lines[0]?.record.at ?? 0;
  return (
    <OpenRowsContext value={open}>
      <Filters filter={filter} onChange={setFilter} count={rows.length} />
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
    </OpenRowsContext>
  );
}

interface FilterProps {
  readonly filter: EventFilter;
  readonly onChange: (filter: EventFilter) => void;
  readonly count: number;
}

function Filters({ filter, onChange, count }: FilterProps): ReactNode {
  const tree = useDeferredValue(
    useTree(
      (one) => one,
      (a, b) => a.runs === b.runs,
    ),
  );
  const kinds = useMemo(() => [{ value: '', label: 'all kinds' }, ...eventKinds(tree)], [tree]);
  const runs = [
    { value: '', label: 'all runs' },
    ...[...tree.runs.keys()].map((run) => ({
      value: run,
      label: run === tree.root ? 'this run' : run.slice(tree.root.length + 1),
    })),
  ];
  const field = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Look for a text in the records', () => field.current?.focus());
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
      <Select
        aria-label="Kind"
        options={kinds}
        value={filter.kind}
        onChange={(kind) => onChange({ ...filter, kind })}
        className="max-w-44"
      />
      {runs.length > 2 && (
        <Select
          aria-label="Run"
          options={runs}
          value={filter.run}
          onChange={(run) => onChange({ ...filter, run })}
          className="max-w-44"
        />
      )}
      <TextField
        ref={field}
        type="search"
        aria-label="Text in the records"
        placeholder="Any text  /"
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
        className="w-auto min-w-28 flex-1"
      />
      <span role="status" className="num text-sm text-muted">
        {count.toLocaleString('en-US')} {count === 1 ? 'record' : 'records'}
      </span>
    </div>
  );
}
