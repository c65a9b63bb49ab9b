import { historyOf } from '../../model/run-history.ts';
import { Quote, X } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { FindingView } from '../../../src/formats/review/views/debate-view.ts';
import type { RunNode } from '../../model/run-tree.ts';
import { useSelection } from '../../model/selection.ts';
import { AgentName } from '../../ui/marks.tsx';
import { IconButton } from '../../ui/controls.tsx';
import { visibleText } from '../../ui/text.tsx';
import { OpenRowsContext, useOpenRows } from '../../run/transcript/open-rows.ts';
import { ScrollBox } from '../../ui/boxes.tsx';
import { SeverityMark } from './severity-mark.tsx';
import { saidOf, speaksOf } from './speaks-of.ts';
import type { SaidEntry } from '../../model/transcript-entry.ts';
import { SaidRow } from '../../run/transcript/entry-row.tsx';

/** An answer, with the words of it that are about a finding. */
function FindingTurn({ entry, finding }: { readonly entry: SaidEntry; readonly finding: FindingView }): ReactNode {
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

interface Props {
  readonly finding: FindingView;
  readonly run: RunNode;
  readonly onClose: () => void;
}

/** One finding in full, with the turns that mention it. */
export function FindingPane({ finding, run, onClose }: Props): ReactNode {
  const open = useOpenRows();
  const { entries } = historyOf(run).transcript;
  const turns = useMemo(() => speaksOf(entries, finding), [entries, finding]);
  return (
    <OpenRowsContext value={open}>
      <aside
        aria-label={`Finding ${finding.id}`}
        className="flex max-h-[55%] min-h-0 shrink-0 flex-col border-line bg-surface @max-4xl:border-t @4xl:max-h-none @4xl:w-[45%] @4xl:border-l"
      >
        <header className="flex items-center gap-2 border-b border-line py-1 pr-1 pl-4">
          <span className="font-mono font-medium">{finding.id}</span>
          <SeverityMark severity={finding.severity} />
          <span className="text-sm text-muted">priority {finding.priority}</span>
          <span className="ml-auto flex items-center gap-1.5 text-sm text-muted">
            by <AgentName agent={finding.by} />
          </span>
          <IconButton label="Close the finding" onClick={onClose}>
            <X size={14} aria-hidden />
          </IconButton>
        </header>
        <ScrollBox className="min-h-0 flex-1 overflow-y-auto px-4 py-2" label="Comments">
          <About finding={finding} run={run.run} />
          <p className="pt-3 pb-1 text-xs font-medium text-muted">
            {turns.length === 0
              ? 'No turn speaks of it.'
              : `${turns.length} ${turns.length === 1 ? 'answer speaks' : 'answers speak'} of it`}
          </p>
          <ul className="flex flex-col gap-3">
            {turns.map((entry) => (
              <li key={entry.key}>
                <FindingTurn entry={entry} finding={finding} />
              </li>
            ))}
          </ul>
        </ScrollBox>
      </aside>
    </OpenRowsContext>
  );
}

function About({ finding, run }: { readonly finding: FindingView; readonly run: string }): ReactNode {
  const [, select] = useSelection();
  const { claim, change, file, line, implementation, closed, earlier, isTouched } = finding;
  return (
    <div className="flex flex-col gap-1">
      <p>{visibleText(claim)}</p>
      {change !== '' && <p className="text-muted">Instead: {visibleText(change)}</p>}
      {file !== null && (
        <button
          type="button"
          className="self-start font-mono text-sm text-accent underline"
          onClick={() =>
            select({
              tab: 'changes',
              file,
              line: line ?? undefined,
              workspace: implementation ?? undefined,
              finding: finding.id,
            })
          }
        >
          {visibleText(file)}
          {line !== null && `:${line}`}
        </button>
      )}
      {closed !== null && (
        <p className="text-sm">
          <span className="text-muted">{closed.how}:</span> {visibleText(closed.reason)}
        </p>
      )}
      {isTouched !== null && (
        <p className="text-sm text-muted">After the revision its place was {isTouched ? 'changed' : 'not changed'}.</p>
      )}
      {earlier.map((wording, place) => (
        // Wordings only grow in number.
        // oxlint-disable-next-line react/no-array-index-key
        <p key={`${run} ${place}`} className="text-sm text-muted line-through">
          {wording.severity}: {visibleText(wording.claim)}
        </p>
      ))}
    </div>
  );
}
