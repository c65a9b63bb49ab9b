import { Search, X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import type { RunNode } from '../../model/run-tree.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useShortcut } from '../../ui/use-shortcut.ts';
import { useTyped } from '../../ui/use-typed.ts';
import { ALL, contextChoices, type RowLook } from './transcript-rows.ts';

interface Props {
  readonly run: RunNode;
  readonly look: RowLook;
  readonly agents: readonly string[];
}

/** Which conversation, through whose eyes, and where a word stands in the run. */
export function TranscriptTools({ run, look, agents }: Props): ReactNode {
  const [, select] = useSelection();
  const root = useTree((tree) => tree.root);
  const choices = useTree(
    contextChoices,
    (a, b) => a.length === b.length && a.every(({ value }, at) => value === b[at]?.value),
  );
  const choose = (value: string): void => {
    const choice = choices.find((one) => one.value === value);
    if (choice === undefined) return;
    const of = choice.run === root ? undefined : choice.run;
    select({
      run: of,
      context: choice.context,
      agent: undefined,
      task: undefined,
      seq: undefined,
      state: undefined,
      visit: undefined,
    });
  };
  const readers = [
    { value: '', label: 'as it was said' },
    ...agents.map((agent) => ({ value: agent, label: `as ${agent} sees it` })),
  ];
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
      <Select
        aria-label="Conversation"
        options={choices}
        value={`${run.run} ${look.context ?? ALL}`}
        onChange={choose}
        className="max-w-56"
      />
      <Select
        aria-label="Through whose eyes"
        options={readers}
        value={look.as ?? ''}
        onChange={(agent) => select({ as: agent === '' ? undefined : agent })}
        className="max-w-48"
      />
      <SearchField />
    </div>
  );
}

/** The text in the address is what is looked for; typing waits for a pause. */
function SearchField(): ReactNode {
  const [{ q = '', dialog }, select] = useSelection();
  const [text, setText] = useTyped(q, (words) => select({ q: words === '' ? undefined : words }));
  const field = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Search in this run', () => field.current?.focus());
  useEffect(() => {
    if (dialog !== 'search') return;
    field.current?.focus();
    select({ dialog: undefined });
  }, [dialog, select]);
  const clear = (): void => {
    setText('');
    select({ q: undefined });
  };
  return (
    <span className="relative flex min-w-36 flex-1 items-center">
      <Search size={13} aria-hidden className="pointer-events-none absolute left-2 text-muted" />
      <TextField
        ref={field}
        type="search"
        aria-label="Search in this run"
        placeholder="Search in this run  /"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && (clear(), field.current?.blur())}
        className="pr-7 pl-7 [&::-webkit-search-cancel-button]:hidden"
      />
      {text !== '' && (
        <IconButton label="Clear the search" className="absolute right-0" onClick={clear}>
          <X size={13} aria-hidden />
        </IconButton>
      )}
    </span>
  );
}
