import { Quote } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FindingView } from '../../../src/protocol/review/debate-view.ts';
import type { SaidEntry } from '../../model/transcript-entry.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { SaidRow } from '../transcript/said-row.tsx';
import { saidOf } from './speaks-of.ts';

/** An answer, with the words of it that are about a finding. */
export function FindingTurn({
  entry,
  finding,
}: {
  readonly entry: SaidEntry;
  readonly finding: FindingView;
}): ReactNode {
  return (
    <>
      <SaidRow entry={entry} />
      {saidOf(entry, finding).map((words) => (
        <p key={words} className="mt-0.5 flex items-start gap-1.5 border-l-2 border-accent pl-2">
          <Quote size={11} aria-hidden className="mt-1.5 shrink-0 text-muted" />
          {visibleText(words)}
        </p>
      ))}
    </>
  );
}
