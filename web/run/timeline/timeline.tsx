import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import type { Bar } from '../../../src/protocol/history/bars.ts';
import { useRunStore } from '../../model/use-run.ts';
import { Empty } from '../../ui/empty.tsx';
import { useIsNarrow } from '../../ui/use-media.ts';
import { barBeside, barSelection, isChosenBar, neighbourBar } from './next-step.ts';
import { TimelineAxis } from './timeline-axis.tsx';
import { TimelineLanes } from './timeline-lanes.tsx';
import type { TimelineRow } from './timeline-rows.ts';
import { TimelineTools } from './timeline-tools.tsx';
import './timeline.css';
import { useElementWidth } from './use-element-width.ts';
import { useRunKeys } from './use-run-keys.ts';
import { useTimelineRange, type TimelineRange } from './use-timeline-range.ts';
import { useTimelineRows } from './use-timeline-rows.ts';
import { useWheel } from './use-wheel.ts';
import { useWholeTime, type WholeTime } from './use-whole-time.ts';
import { xOf, type DrawnBar } from './visible-bars.ts';

/** Who did what when: a lane for each agent, one for the person, one for the engine. */
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
