import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSelection } from '../../model/selection.ts';
import type { Bar } from '../../../src/protocol/history/bars.ts';
import { useRunStore, useRuns } from '../../model/use-run.ts';
import { Empty } from '../../ui/boxes.tsx';
import { useIsNarrow } from '../../ui/use-media.ts';
import {
  barBeside,
  barSelection,
  isChosenBar,
  neighbourBar,
  nextLaneBar,
  nextVisit,
  visitSelection,
} from './next-step.ts';
import { TimelineAxis, useElementWidth, useWheel } from './timeline-axis.tsx';
import { TimelineLanes } from './timeline-lanes.tsx';
import { type TimelineRow, timelineRows } from './timeline-rows.ts';
import './timeline.css';
import { type TimelineRange, useTimelineRange, useWholeTime, type WholeTime } from './use-time.ts';
import { type DrawnBar, xOf } from './visible-bars.ts';
import { historyOf } from '../../model/run-history.ts';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { IconButton } from '../../ui/controls.tsx';

/** Beside its title; where that is too narrow, in the corner. */
function TimelineTools({ shown }: { readonly shown: TimelineRange }): ReactNode {
  return (
    <div className="absolute z-20 flex max-md:right-2 max-md:bottom-2 max-md:rounded-md max-md:border max-md:border-line max-md:bg-surface max-md:shadow-raised md:top-0 md:left-[76px]">
      <IconButton label="Less time, in more detail" className={SMALL} onClick={() => shown.zoom(0.6)}>
        <ZoomIn size={14} aria-hidden />
      </IconButton>
      <IconButton
        label="More time"
        className={SMALL}
        disabledReason={shown.isAll ? 'all of it is shown' : null}
        onClick={() => shown.zoom(1 / 0.6)}
      >
        <ZoomOut size={14} aria-hidden />
      </IconButton>
      <IconButton
        label="All of the time"
        className={SMALL}
        disabledReason={shown.isAll ? 'all of it is shown' : null}
        onClick={shown.all}
      >
        <Maximize size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

const SMALL = 'md:h-6 md:w-6';

/** j and k go from step to step, h and l from agent to agent. */
function useRunKeys(rows: readonly TimelineRow[]): void {
  const store = useRunStore();
  const [selection, select] = useSelection();
  const step = (by: 1 | -1): void => {
    const tree = store.get();
    const run = tree.runs.get(selection.run ?? tree.root);
    const visit = run === undefined ? null : nextVisit(historyOf(run).visits.counting, selection, by);
    if (visit !== null) select(visitSelection(visit, tree.root));
  };
  const lane = (by: 1 | -1): void => {
    const { root } = store.get();
    const bar = nextLaneBar(rows, selection, { root, by });
    if (bar !== null) select(barSelection(bar, root));
  };
  useShortcut('j', 'Next step', () => step(1));
  useShortcut('k', 'Previous step', () => step(-1));
  useShortcut('h', 'Previous agent', () => lane(-1));
  useShortcut('l', 'Next agent', () => lane(1));
}

/** More runs below than these begin folded. */
const FEW = 3;

/** The lanes of a run and of those below it, which can be folded. */
function useTimelineRows(): { readonly rows: readonly TimelineRow[]; readonly toggle: (run: string) => void } {
  const tree = useRuns();
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isFew = tree.runs.size - 1 <= FEW;
  const rows = useMemo(() => timelineRows(tree, (run) => chosen.get(run) ?? isFew), [tree, chosen, isFew]);
  return { rows, toggle: (run) => setChosen(new Map(chosen).set(run, !(chosen.get(run) ?? isFew))) };
}

/** The time line: a lane for each agent, one for the person, one for the engine. */
export function Timeline(): ReactNode {
  const { rows, toggle } = useTimelineRows();
  const time = useWholeTime();
  const shown = useTimelineRange(time.whole);
  useRunKeys(rows);
  return (
    <section aria-label="Timeline" className="relative flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      {rows.length === 0 ? (
        <Empty title="Nothing was done yet" why="Each agent gets a lane here as soon as it has begun its first turn." />
      ) : (
        <TimelineBody rows={rows} time={time} shown={shown} onToggle={toggle} />
      )}
      <TimelineTools shown={shown} />
    </section>
  );
}

interface BodyProps {
  readonly rows: readonly TimelineRow[];
  readonly time: WholeTime;
  readonly shown: TimelineRange;
  readonly onToggle: (run: string) => void;
}

function TimelineBody({ rows, time, shown, onToggle }: BodyProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const labelWidth = useIsNarrow() ? 96 : 152;
  const width = Math.max(1, useElementWidth(scroller) - labelWidth);
  const { range } = shown;
  const { now, start, isLive } = time;
  const scale = useMemo(() => ({ range, width }), [range, width]);
  const { reached, isChosen, choose, onKeyDown } = useBars(rows, shown);
  useWheel(scroller, shown, { labelWidth, width });
  return (
    <div ref={scroller} className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto max-md:pb-11">
      <TimelineAxis scale={scale} start={start} labelWidth={labelWidth} onRange={shown.set} onWhole={shown.all} />
      <div className="relative">
        {isLive && now <= range.to && (
          <span className="timeline-now" aria-hidden style={{ left: labelWidth + xOf(now, scale) }} />
        )}
        <TimelineLanes
          rows={rows}
          scale={scale}
          now={now}
          labelWidth={labelWidth}
          scroller={scroller}
          reached={reached}
          isChosen={isChosen}
          onChoose={choose}
          onToggle={onToggle}
          onKeyDown={onKeyDown}
        />
      </div>
    </div>
  );
}

interface Bars {
  readonly reached: string | null;
  readonly isChosen: (bar: Bar) => boolean;
  readonly choose: (drawn: DrawnBar) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** The same selection as everywhere on the page. A heap of small bars is looked into instead. */
function useBars(rows: readonly TimelineRow[], shown: TimelineRange): Bars {
  const { root } = useRunStore().get();
  const [selection, select] = useSelection();
  const [focused, setFocused] = useState<string | null>(null);
  const isChosen = useCallback((bar: Bar) => isChosenBar(bar, selection, root), [selection, root]);
  // Bars are drawn again for their own sake only, so what they call stays the same.
  const latest = useRef({ rows, shown });
  useEffect(() => {
    latest.current = { rows, shown };
  });
  const go = useCallback(
    (bar: Bar) => {
      setFocused(bar.key);
      select(barSelection(bar, root));
    },
    [select, root],
  );
  const choose = useCallback(
    ({ placed: { bar }, count, width }: DrawnBar) => {
      if (count > 1) latest.current.shown.zoom(Math.min(0.3, width / 200), bar.startedAt);
      else go(bar);
    },
    [go],
  );
  const onKeyDown = useCallback(
    (event: KeyboardEvent<HTMLElement>) => {
      const { key, currentTarget } = event;
      if (key === '+' || key === '-') return latest.current.shown.zoom(key === '+' ? 0.6 : 1 / 0.6);
      const next = barTo(latest.current.rows, currentTarget.dataset['bar'] ?? '', key);
      if (next === null) return;
      event.preventDefault();
      go(next);
      const lanes = currentTarget.closest('[data-lanes]');
      lanes?.querySelector<HTMLElement>(`[data-bar="${CSS.escape(next.key)}"]`)?.focus();
    },
    [go],
  );
  return { reached: focused ?? firstBar(rows, isChosen)?.key ?? null, isChosen, choose, onKeyDown };
}

function barTo(rows: readonly TimelineRow[], key: string, pressed: string): Bar | null {
  if (pressed === 'ArrowRight' || pressed === 'ArrowLeft')
    return neighbourBar(rows, key, pressed === 'ArrowRight' ? 1 : -1);
  if (pressed === 'ArrowDown' || pressed === 'ArrowUp') return barBeside(rows, key, pressed === 'ArrowDown' ? 1 : -1);
  return null;
}

function firstBar(rows: readonly TimelineRow[], isChosen: (bar: Bar) => boolean): Bar | undefined {
  const bars = rows.flatMap((row) => (row.kind === 'lane' ? row.bars.map(({ bar }) => bar) : []));
  return bars.find(isChosen) ?? bars[0];
}
