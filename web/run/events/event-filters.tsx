import { useDeferredValue, useMemo, useRef, type ReactNode } from 'react';
import { useTree } from '../../model/use-run.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useShortcut } from '../../ui/use-shortcut.ts';
import { useTyped } from '../../ui/use-typed.ts';
import { eventKinds } from './event-rows.ts';
import { useEventFilter } from './use-event-filter.ts';

/** By kind, by run and by any text, with how many fit. */
export function EventFilters({ count }: { readonly count: number }): ReactNode {
  const [filter, look] = useEventFilter();
  const { kinds, runs } = useChoices();
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
      <Select
        aria-label="Kind"
        options={kinds}
        value={filter.kind}
        onChange={(kind) => look({ ...filter, kind })}
        className="max-w-44"
      />
      {runs.length > 2 && (
        <Select
          aria-label="Run"
          options={runs}
          value={filter.run}
          onChange={(run) => look({ ...filter, run })}
          className="max-w-44"
        />
      )}
      <TextFilter text={filter.text} onChange={(text) => look({ ...filter, text })} />
      <span role="status" className="num text-sm text-muted">
        {count.toLocaleString('en-US')} {count === 1 ? 'record' : 'records'}
      </span>
    </div>
  );
}

function useChoices() {
  const tree = useDeferredValue(
    useTree(
      (one) => one,
      (a, b) => a.runs === b.runs,
    ),
  );
  const kinds = useMemo(() => [{ value: '', label: 'all kinds' }, ...eventKinds(tree)], [tree]);
  const runs = [...tree.runs.keys()].map((run) => ({
    value: run,
    label: run === tree.root ? 'this run' : run.slice(tree.root.length + 1),
  }));
  return { kinds, runs: [{ value: '', label: 'all runs' }, ...runs] };
}

interface TextProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function TextFilter({ text, onChange }: TextProps): ReactNode {
  const [typed, setTyped] = useTyped(text, onChange);
  const field = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Look for a text in the records', () => field.current?.focus());
  return (
    <TextField
      ref={field}
      type="search"
      aria-label="Text in the records"
      placeholder="Any text  /"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      className="w-auto min-w-28 flex-1"
    />
  );
}
