import { type ReactNode, useDeferredValue, useMemo, useRef } from 'react';
import { useSelection } from '../../model/selection.ts';
import { useRuns } from '../../model/use-run.ts';
import { Empty } from '../../ui/boxes.tsx';
import { VirtualList } from '../transcript/virtual-list.tsx';
import { type EventFilter, eventKinds, eventRows, factLine } from './event-rows.ts';
import { classNames, Select, TextField } from '../../ui/controls.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { useTyped } from '../../ui/use-typed.ts';
import { ChevronRight } from 'lucide-react';
import { durationText, shortCount } from '../../../src/core/look/amount-text.ts';
import type { PageRecord } from '../../../src/protocol/web/record-page.ts';
import { PlainText, visibleText } from '../../ui/text.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { isConversation } from '../transcript/transcript-rows.ts';
import { useRecord } from '../transcript/words.tsx';

/** Which records are looked for: it stands in the address. */
export function useEventFilter(): readonly [EventFilter, (filter: EventFilter) => void] {
  const [{ kind = '', only = '', text = '' }, select] = useSelection();
  const filter = useMemo(() => ({ kind, run: only, text }), [kind, only, text]);
  const look = (next: EventFilter): void =>
    select({ kind: next.kind || undefined, only: next.run || undefined, text: next.text || undefined });
  return [filter, look];
}

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
  const tree = useDeferredValue(useRuns());
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

/** A record as JSON. What was too long to be sent is fetched when it is wanted. */
export function EventJson({ line }: { readonly line: PageRecord }): ReactNode {
  const { run, record } = line;
  const whole = useRecord(run, record.seq);
  const text = JSON.stringify({ ...record, fact: whole.fact ?? record.fact }, null, 2);
  return (
    <div className="flex items-start gap-1 bg-sunken py-1 pr-2 pl-9">
      <div className="min-w-0 flex-1">
        <PlainText text={text} />
        {whole.fact === null && <CutNote line={line} isReading={whole.isReading} onAsk={whole.ask} />}
        {whole.problem !== null && <p className="text-sm text-bad">{whole.problem}</p>}
        {isConversation(record.fact.kind) && <ToConversation seq={record.seq} />}
      </div>
      <CopyButton label="Copy the record" text={() => text} />
    </div>
  );
}

interface CutProps {
  readonly line: PageRecord;
  readonly isReading: boolean;
  readonly onAsk: () => void;
}

function CutNote({ line: { cut }, isReading, onAsk }: CutProps): ReactNode {
  if (cut === undefined) return null;
  const length = cut.reduce((sum, one) => sum + one.length, 0);
  const words = `${cut.length} ${cut.length === 1 ? 'text is' : 'texts are'} cut: show all (${shortCount(length)} characters)`;
  return (
    <button type="button" className="text-sm text-accent underline" onClick={onAsk}>
      {isReading ? 'Reading …' : words}
    </button>
  );
}

function ToConversation({ seq }: { readonly seq: number }): ReactNode {
  const [, select] = useSelection();
  return (
    <button
      type="button"
      className="block text-sm text-accent underline"
      onClick={() => select({ tab: 'transcript', context: '*', seq, task: undefined, state: undefined })}
    >
      Show it in the conversation
    </button>
  );
}

interface Props {
  readonly line: PageRecord;
  readonly root: string;
  readonly startedAt: number;
  readonly isChosen: boolean;
}

const BAD = /failed|\.refused|limit\.reached|stopping|cancelled/;

/** A record in a line; unfolded, all of it. The one in the address is unfolded. */
export function EventRow({ line, root, startedAt, isChosen }: Props): ReactNode {
  const { run, record } = line;
  const [, select] = useSelection();
  const choose = (): void =>
    select(isChosen ? { seq: undefined, run: undefined } : { seq: record.seq, run: run === root ? undefined : run });
  return (
    <div className="border-b border-line">
      <button
        type="button"
        aria-expanded={isChosen}
        onClick={choose}
        className="flex w-full min-w-0 items-baseline gap-2 px-3 py-0.5 text-left text-sm hover:bg-hover"
      >
        <ChevronRight
          size={12}
          aria-hidden
          className={classNames('shrink-0 self-center text-muted', isChosen && 'rotate-90')}
        />
        <span className="num w-9 shrink-0 text-right text-muted">{record.seq}</span>
        <span className="num w-16 shrink-0 text-right text-xs text-muted" title={new Date(record.at).toLocaleString()}>
          +{durationText(record.at - startedAt)}
        </span>
        {run !== root && (
          <span className="max-w-24 shrink-0 truncate font-mono text-xs text-muted">
            {visibleText(run.slice(root.length + 1))}
          </span>
        )}
        <span
          className={classNames(
            'w-32 shrink-0 truncate font-mono text-xs',
            BAD.test(record.fact.kind) ? 'text-bad' : 'text-text',
          )}
        >
          {record.fact.kind}
        </span>
        <span className="truncate text-muted">{visibleText(factLine(record.fact))}</span>
      </button>
      {isChosen && <EventJson line={line} />}
    </div>
  );
}

/** Every record as it was journaled, of the run and of those below it. */
export function EventsPanel(): ReactNode {
  const tree = useDeferredValue(useRuns());
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
