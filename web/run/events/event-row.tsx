import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { durationText } from '../../../src/core/amount-text.ts';
import type { PageRecord } from '../../../src/protocol/web/record-page.ts';
import { useSelection } from '../../model/selection.ts';
import { classNames } from '../../ui/class-names.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { EventJson } from './event-json.tsx';
import { factLine } from './event-rows.ts';

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
