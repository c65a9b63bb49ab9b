import { type ReactNode, useEffect, useRef } from 'react';
import { useSelection } from '../../model/selection.ts';
import { Empty, ScrollBox } from '../../ui/boxes.tsx';
import { EntryRow, LiveRow } from './entry-row.tsx';
import { OpenRowsContext, useOpenRows } from './open-rows.ts';
import { ALL, contextChoices, isConversation, type RowLook, rowOf, useTranscript } from './transcript-rows.ts';
import { VirtualList } from './virtual-list.tsx';
import type { RunNode } from '../../model/run-tree.ts';
import { PlainText, visibleText } from '../../ui/text.tsx';
import { Search, X } from 'lucide-react';
import { useTree } from '../../model/use-run.ts';
import { classNames, IconButton, Select, TextField } from '../../ui/controls.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { useTyped } from '../../ui/use-typed.ts';
import { useQuery } from '@tanstack/react-query';
import type { SearchHit, SearchPage } from '../../../src/protocol/web/search-page.ts';
import { api } from '../../api/client.ts';

/** An agent's system prompt, from its role. */
function FirstWords({ run: { definition }, agent }: { readonly run: RunNode; readonly agent: string }): ReactNode {
  const name = definition?.workflow.agents.find((one) => one.name === agent)?.role;
  const role = name === undefined ? undefined : definition?.roles[name];
  if (role === undefined || role.systemMessage === '') return null;
  return (
    <details className="border-b border-line px-4 py-1.5 text-sm">
      <summary className="cursor-default text-muted">
        Its prompt begins with the role <span className="font-medium">{visibleText(role.name)}</span>
        {role.examples.length > 0 && `, with ${role.examples.length} messages of example`}
      </summary>
      <ScrollBox className="max-h-60 overflow-y-auto py-1" label="Words of the role">
        <PlainText text={role.systemMessage} />
      </ScrollBox>
    </details>
  );
}

/** Where a text stands in the run and in those below it: looked for by the server, in whole texts. */
function SearchHits(): ReactNode {
  const [{ q }] = useSelection();
  const root = useTree((tree) => tree.root);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['search', root, q],
    queryFn: ({ signal }) => api.get<SearchPage>('/api/search', { text: q, run: root, limit: 200 }, { signal }),
    enabled: q !== undefined && q !== '',
    placeholderData: (before) => before,
  });
  if (q === undefined || q === '') return null;
  if (error !== null) return <p className="border-b border-line px-4 py-1.5 text-bad">{error.message}</p>;
  if (data === undefined) return <p className="border-b border-line px-4 py-1.5 text-muted">Searching …</p>;
  return (
    <section
      aria-label="Where it stands"
      className={classNames(
        'flex max-h-[40%] shrink-0 flex-col border-b border-line bg-surface',
        isPlaceholderData && 'opacity-60',
      )}
    >
      <p role="status" className="num px-4 pt-1.5 text-sm text-muted">
        {data.count === 0
          ? `“${q}” was not found in this run.`
          : `${data.count} times in ${data.places} records${data.isWhole ? '' : ', as far as could be looked at'}`}
      </p>
      <ul className="relative min-h-0 overflow-y-auto py-1">
        {conversationsFirst(data.hits).map((hit) => (
          <Hit key={`${hit.run} ${hit.seq} ${hit.path.join('.')}`} hit={hit} length={q.length} />
        ))}
      </ul>
    </section>
  );
}

/** Shows hits in conversations first, since many records of the engine repeat the same words. */
const conversationsFirst = (hits: readonly SearchHit[]): readonly SearchHit[] =>
  hits.toSorted((a, b) => Number(isConversation(b.kind)) - Number(isConversation(a.kind)));

function Hit({ hit, length }: { readonly hit: SearchHit; readonly length: number }): ReactNode {
  const [{ seq, run }, select] = useSelection();
  const root = useTree((tree) => tree.root);
  const { excerpt, offset, kind, count } = hit;
  const of = hit.run === root ? undefined : hit.run;
  const go = (): void =>
    select({
      seq: hit.seq ?? undefined,
      run: of,
      context: '*',
      task: undefined,
      state: undefined,
      visit: undefined,
      tab: isConversation(kind) ? 'transcript' : 'events',
    });
  return (
    <li>
      <button
        type="button"
        onClick={go}
        aria-current={(hit.seq === seq && of === run) || undefined}
        className="flex w-full min-w-0 items-baseline gap-2 px-4 py-0.5 text-left text-sm hover:bg-hover aria-[current]:bg-accent-soft"
      >
        <span className="num w-10 shrink-0 text-right text-muted">{hit.seq}</span>
        <span className="w-28 shrink-0 truncate text-muted">{kind}</span>
        <span className="truncate">
          {visibleText(excerpt.slice(0, offset))}
          <mark className="rounded-sm bg-warn-soft text-text">
            {visibleText(excerpt.slice(offset, offset + length))}
          </mark>
          {visibleText(excerpt.slice(offset + length))}
        </span>
        {count > 1 && <span className="num ml-auto shrink-0 text-muted">×{count}</span>}
      </button>
    </li>
  );
}

interface Props {
  readonly run: RunNode;
  readonly look: RowLook;
  readonly agents: readonly string[];
}

/** Which conversation, through whose eyes, and where a word stands in the run. */
function TranscriptTools({ run, look, agents }: Props): ReactNode {
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

/** The messages of one conversation or of all, by name or as one agent sees them. */
export function TranscriptPanel(): ReactNode {
  const [selection] = useSelection();
  const open = useOpenRows();
  const shown = useTranscript();
  if (shown === null) return <Empty title="No conversation yet" why="The run has not begun." />;
  const { run, look, rows, live, agents, root } = shown;
  const reader = look.as;
  const keys = [...rows.map(({ key }) => key), ...live];
  const chosen = rowOf(rows, selection, root);
  const choice = [selection.seq, selection.task, selection.state, selection.visit, look.context, reader].join(' ');
  const render = (index: number): ReactNode => {
    const row = rows[index];
    return row === undefined ? <LiveRow name={keys[index] ?? ''} /> : <EntryRow row={row} as={reader} />;
  };
  return (
    <OpenRowsContext value={open}>
      <TranscriptTools run={run} look={look} agents={agents} />
      <SearchHits />
      {reader !== null && <FirstWords run={run} agent={reader} />}
      {keys.length === 0 ? (
        <Empty title="Nothing was said here yet" why={whyEmpty(run.snapshot.status === 'settled')} />
      ) : (
        <VirtualList
          key={`${run.run} ${look.context} ${reader}`}
          label="Conversation"
          keys={keys}
          render={render}
          estimate={88}
          chosen={
            selection.seq === undefined && selection.task === undefined && selection.state === undefined ? -1 : chosen
          }
          choice={choice}
          isLive={run.snapshot.status !== 'settled'}
          rowClass="px-4 py-1.5"
        />
      )}
    </OpenRowsContext>
  );
}

const whyEmpty = (isOver: boolean): string =>
  isOver
    ? 'No agent of this conversation had a turn before the run was over.'
    : 'It fills as soon as an agent of this conversation has its turn.';
