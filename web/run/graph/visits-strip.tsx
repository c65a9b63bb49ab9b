import { type ReactNode, useState } from 'react';
import { NO_TIME, type WorkTime } from '../../../src/core/fold/work-clock.ts';
import type { GraphNode } from '../../../src/protocol/web/graph-view.ts';
import { NO_RUN } from '../../model/graph-state.ts';
import { haltedAt } from '../../model/run-tree.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import type { Visit } from '../../../src/protocol/history/visits.ts';
import { visitsOfStates, visitTime } from '../../model/run-history.ts';
import { classNames } from '../../ui/controls.tsx';
import { Worked } from '../../ui/figures.tsx';
import { StatusMark } from '../../ui/marks.tsx';
import { visibleText } from '../../ui/text.tsx';
import { belowRoot } from './selected-node.ts';

/** So many visits are drawn at first, and more with each press: a loop may have thousands. */
const MORE = 40;

/** The visits of the state that is chosen, the newest at the end. */
export function VisitsStrip({ node }: { readonly node: GraphNode }): ReactNode {
  const run = useTree((tree) => tree.runs.get(node.run ?? NO_RUN) ?? null);
  const root = useTree((tree) => tree.root);
  const halted = useTree(haltedAt);
  const [selection, select] = useSelection();
  const visits = run === null ? [] : visitsOfStates(run, node.states);
  const [most, setMost] = useState(MORE);
  const chosen = visits.findIndex(
    (visit) => selection.state === visit.state && isChosen(visit, selection.visit, visits),
  );
  const hidden = Math.max(0, Math.min(visits.length - most, chosen === -1 ? Infinity : chosen));
  const choose = ({ run, state, visit, seq }: Visit): void =>
    select({ run: belowRoot({ root }, run), state, visit, seq, task: undefined, agent: undefined, context: undefined });
  return (
    <div
      className="flex h-9 shrink-0 items-center gap-2 overflow-x-auto border-t border-line bg-surface px-3"
      role="group"
      aria-label={`Visits of ${visibleText(node.label)}`}
    >
      <span className="shrink-0 font-medium">{visibleText(node.label)}</span>
      {visits.length === 0 && (
        <span className="shrink-0 text-muted">was not entered{run?.snapshot.status === 'settled' ? '' : ' yet'}</span>
      )}
      {hidden > 0 && (
        <button
          type="button"
          className="h-6 shrink-0 rounded-md border border-line px-2 text-sm text-accent hover:bg-hover"
          onClick={() => setMost(most + MORE)}
        >
          {hidden} earlier
        </button>
      )}
      {visits.slice(hidden).map((visit) => (
        <VisitChip
          key={visit.seq}
          visit={visit}
          timeAt={(at) => (run === null ? NO_TIME : visitTime(run, visit, at))}
          halted={halted}
          name={visit.state === node.label ? 'visit' : visit.state}
          isChosen={selection.state === visit.state && isChosen(visit, selection.visit, visits)}
          onChoose={() => choose(visit)}
        />
      ))}
    </div>
  );
}

const isChosen = (visit: Visit, wanted: number | undefined, visits: readonly Visit[]): boolean =>
  wanted === undefined
    ? visit === visits.findLast(({ isUndone }) => !isUndone)
    : visit.visit === wanted && !visit.isUndone;

interface ChipProps {
  readonly name: string;
  /** See `haltedAt`. */
  readonly halted: number | null;
  readonly visit: Visit;
  readonly timeAt: (at: number) => WorkTime;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function VisitChip({ visit, timeAt, name, halted, isChosen, onChoose }: ChipProps): ReactNode {
  const { visit: count, leftAt, outcome, isUndone, failure } = visit;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={failure === null ? undefined : visibleText(failure.message)}
      onClick={onChoose}
      className={classNames(
        'flex h-6 shrink-0 items-center gap-1.5 rounded-md border px-2 text-sm',
        isChosen ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
        isUndone && 'border-dashed line-through',
      )}
    >
      <span className="num text-muted">
        {visibleText(name)} {count}
      </span>
      <StatusMark status={leftAt === null && halted === null ? 'running' : (outcome ?? 'stopped')} />
      <Worked timeAt={timeAt} until={leftAt ?? halted} />
      {isUndone && <span className="sr-only">undone</span>}
    </button>
  );
}
