import type { ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import { Empty } from '../../ui/empty.tsx';
import { EntryRow } from './entry-row.tsx';
import { FirstWords } from './first-words.tsx';
import { LiveRow } from './live-row.tsx';
import { OpenRowsContext, useOpenRows } from './open-rows.ts';
import { SearchHits } from './search-hits.tsx';
import { rowOf } from './transcript-rows.ts';
import { TranscriptTools } from './transcript-tools.tsx';
import { useTranscript } from './use-transcript.ts';
import { VirtualList } from './virtual-list.tsx';

/** What was said: one conversation or all of them, by name or as one agent sees it. */
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
