import { memo, type ReactNode } from 'react';
import type { Entry, SaidEntry } from '../../model/transcript-entry.ts';
import { shortLine } from '../../../src/protocol/tool-words.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { DeedRow } from '../transcript/deed-row.tsx';
import { NoteRow } from '../transcript/note-row.tsx';
import { ToolLine } from '../transcript/tool-line.tsx';

/** Something an agent said or did, as short as can be; what it was told is a line. */
export const StreamEntry = memo(function StreamEntry({ entry }: { readonly entry: Entry }): ReactNode {
  if (entry.kind === 'deed') return <DeedRow entry={entry} />;
  if (entry.kind === 'note') return <NoteRow entry={entry} />;
  return entry.message.author === entry.agent ? <OwnWords entry={entry} /> : <Told entry={entry} />;
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

function Told({ entry: { message, state } }: { readonly entry: SaidEntry }): ReactNode {
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
