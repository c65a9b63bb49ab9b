import { historyOf } from '../../model/run-history.ts';
import { memo, type ReactNode, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { AgentNow } from '../../model/agents-now.ts';
import type { RunNode } from '../../model/run-tree.ts';
import type { Entry, SaidEntry } from '../../model/transcript-entry.ts';
import { useTree } from '../../model/use-run.ts';
import { ActivityRow, LiveText, NoteRow } from '../transcript/entry-row.tsx';
import { ScrollBox } from '../../ui/boxes.tsx';
import { shortLine } from '../../../src/protocol/tool-words.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { visibleText } from '../../ui/text.tsx';
import { ToolLine } from '../transcript/tool-line.tsx';

/** A message or activity of an agent in short form; a received message is one line. */
const StreamEntry = memo(function StreamEntry({ entry }: { readonly entry: Entry }): ReactNode {
  if (entry.kind === 'activity') return <ActivityRow entry={entry} />;
  if (entry.kind === 'note') return <NoteRow entry={entry} />;
  return entry.message.author === entry.agent ? <OwnWords entry={entry} /> : <ReceivedMessage entry={entry} />;
});

function OwnWords({ entry: { message, uses, key, run, seq, task } }: { readonly entry: SaidEntry }): ReactNode {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      {message.content !== '' && <Markdown text={message.content.slice(0, LONGEST)} />}
      {uses.map((use) => (
        <ToolLine key={use.id} use={use} entry={{ key, run, seq, task }} />
      ))}
    </div>
  );
}

function ReceivedMessage({ entry: { message, state } }: { readonly entry: SaidEntry }): ReactNode {
  return (
    <p className="flex min-w-0 items-baseline gap-1.5 text-sm text-muted">
      <span className="shrink-0 text-xs font-medium">{visibleText(state)}</span>
      <span className="truncate" title={visibleText(message.content.slice(0, 2000))}>
        {visibleText(shortLine(message.content))}
      </span>
    </p>
  );
}

const LONGEST = 6000;

/** So many of its newest messages and activities; its conversation has all of them. */
const SHOWN = 40;

/** As many as fill a column; those above it are shaped once the page stands. */
const SHOWN_AT_FIRST = 8;
const STANDS_AFTER_MS = 700;

/** The newest of what an agent said and did, then the words that it is saying. Stays at its end unless somebody scrolls up. */
export function AgentStream({ agent: { run, agent, doing, tasks } }: { readonly agent: AgentNow }): ReactNode {
  const most = useMost();
  const entries = useTree((tree) => newestOf(tree.runs.get(run), agent, most), areSame);
  const words = useTree((tree) => (doing === null ? '' : (tree.words.get(`${run} ${doing.task}`)?.text ?? '')));
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [entries, words]);
  const scrolled = (): void => {
    const element = box.current;
    if (element !== null) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 32;
  };
  return (
    <ScrollBox
      ref={box}
      onScroll={scrolled}
      className="flex min-h-0 flex-1 flex-col gap-1.5 overflow-y-auto px-3 py-2"
      label={`What ${agent} says and does`}
    >
      {entries.map((entry) => (
        <StreamEntry key={entry.key} entry={entry} />
      ))}
      {words !== '' && <LiveText text={words} />}
      {entries.length === 0 && words === '' && (
        <p className="text-sm text-muted">
          {tasks.length === 0 ? 'It had no turn yet.' : 'It has not written anything yet.'}
        </p>
      )}
    </ScrollBox>
  );
}

function useMost(): number {
  const [most, setMost] = useState(SHOWN_AT_FIRST);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setMost(SHOWN)), STANDS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return most;
}

function newestOf(run: RunNode | undefined, agent: string, most: number): readonly Entry[] {
  if (run === undefined) return [];
  const { entries, byAgent } = historyOf(run).transcript;
  const own = (byAgent.get(agent) ?? []).slice(-most * 2).flatMap((place) => entries[place] ?? []);
  // Results are shown with their calls.
  return own.filter((entry) => entry.kind !== 'said' || entry.message.role !== 'tool').slice(-most);
}

const areSame = (a: readonly Entry[], b: readonly Entry[]): boolean =>
  a.length === b.length && a.every((entry, place) => entry === b[place]);
