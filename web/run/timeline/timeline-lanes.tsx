import { useVirtualizer } from '@tanstack/react-virtual';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import type { Bar } from '../../../src/protocol/history/bars.ts';
import { LaneRow } from './lane-row.tsx';
import { TimelineRun } from './run-row.tsx';
import type { PlacedBar, TimelineRow } from './timeline-rows.ts';
import type { DrawnBar, Scale } from './visible-bars.ts';

interface Props {
  readonly rows: readonly TimelineRow[];
  readonly scale: Scale;
  readonly now: number;
  readonly labelWidth: number;
  readonly scroller: RefObject<HTMLElement | null>;
  /** The bar the Tab key reaches. */
  readonly reached: string | null;
  readonly isChosen: (bar: Bar) => boolean;
  readonly onChoose: (drawn: DrawnBar) => void;
  readonly onToggle: (run: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

const LINE = 22;
const AXIS = 24;

/** The lanes in sight. */
export function TimelineLanes(props: Props): ReactNode {
  const { rows, scroller } = props;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.lines ?? 1) * LINE + 4,
    getItemKey: (index) => rows[index]?.key ?? index,
    scrollMargin: AXIS,
    overscan: 6,
  });
  return (
    <div data-lanes className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start, size }) => {
        const row = rows[index];
        return row === undefined ? null : (
          <div
            key={key}
            className="absolute inset-x-0 flex border-b border-line/60"
            style={{ top: start - AXIS, height: size }}
          >
            <Row {...props} row={row} />
          </div>
        );
      })}
    </div>
  );
}

function Row({
  row,
  scale,
  now,
  labelWidth,
  reached,
  isChosen,
  onChoose,
  onToggle,
  onKeyDown,
}: Props & { readonly row: TimelineRow }): ReactNode {
  const shared = { scale, labelWidth, isChosen, onChoose, onKeyDown };
  if (row.kind === 'run') return <TimelineRun row={row} now={now} {...shared} onToggle={() => onToggle(row.run)} />;
  const { lane, level, bars } = row;
  const mine = bars.some(({ bar }) => bar.key === reached) ? reached : null;
  return <LaneRow lane={lane} level={level} bars={bars} now={hasOpen(bars) ? now : 0} reached={mine} {...shared} />;
}

const hasOpen = (bars: readonly PlacedBar[]): boolean => bars.some(({ bar }) => bar.endedAt === null);
