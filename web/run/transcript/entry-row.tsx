import { memo, type ReactNode } from 'react';
import { visibleText } from '../../ui/visible-text.ts';
import { DeedRow } from './deed-row.tsx';
import { NoteRow } from './note-row.tsx';
import { SaidRow } from './said-row.tsx';
import { SeenRow } from './seen-row.tsx';
import type { Row } from './transcript-rows.ts';

interface Props {
  readonly row: Row;
  /** The agent through whose eyes it is read. */
  readonly as: string | null;
}

/** Whatever a row is about, below the step it begins. */
export const EntryRow = memo(function EntryRow({ row, as }: Props): ReactNode {
  const { entry, step, caller } = row;
  return (
    <>
      {step !== null && (
        <p className="mb-1.5 flex items-center gap-2 pt-1 text-xs text-muted">
          <span className="truncate font-medium">{visibleText(step)}</span>
          <span className="h-px flex-1 bg-line" aria-hidden />
        </p>
      )}
      {entry.kind === 'deed' && <DeedRow entry={entry} />}
      {entry.kind === 'note' && <NoteRow entry={entry} />}
      {entry.kind === 'said' &&
        (as === null ? <SaidRow entry={entry} /> : <SeenRow entry={entry} agent={as} caller={caller} />)}
    </>
  );
});
