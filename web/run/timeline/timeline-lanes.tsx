import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, type ReactNode, type RefObject, useMemo } from 'react';
import type { Bar } from '../../../src/protocol/history/bars.ts';
import type { PlacedBar, TimelineRow } from './timeline-rows.ts';
import { type DrawnBar, type Scale, visibleBars } from './visible-bars.ts';
import { AgentName, useAgentColour } from '../../ui/marks.tsx';
import { TimelineBar } from './timeline-bar.tsx';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { visibleText } from '../../ui/text.tsx';

/** What all rows need to draw their bars. */
interface BarsProps {
  readonly scale: Scale;
  /** For what is not over; 0 where everything is. */
  readonly now: number;
  readonly labelWidth: number;
  readonly isChosen: (bar: Bar) => boolean;
  readonly onChoose: (drawn: DrawnBar) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

interface LaneRowProps extends BarsProps, Pick<LaneOf, 'lane' | 'level' | 'bars'> {
  readonly reached: string | null;
}

type LaneOf = Extract<TimelineRow, { readonly kind: 'lane' }>;
type RunOf = Extract<TimelineRow, { readonly kind: 'run' }>;

/** One lane: whose it is, and what they did when. */
const LaneRow = memo(function LaneRow(props: LaneRowProps): ReactNode {
  const { lane, level, bars, labelWidth, reached, ...drawing } = props;
  const { scale, now } = drawing;
  const agent = useAgentColour(lane.kind === 'agent' ? lane.agent : '');
  const colour = lane.kind === 'agent' ? agent : lane.kind === 'person' ? 'var(--warn)' : 'var(--line-strong)';
  const drawn = useMemo(() => visibleBars(bars, scale, now), [bars, scale, now]);
  return (
    <>
      <LaneLabel lane={lane} level={level} width={labelWidth} />
      <div className="relative min-w-0 flex-1 overflow-hidden">
        {drawn.map((one) => (
          <OneBar
            key={one.placed.bar.key}
            {...drawing}
            drawn={one}
            now={one.placed.bar.endedAt === null ? now : 0}
            colour={colour}
            reached={reached}
          />
        ))}
      </div>
    </>
  );
});

interface OneBarProps extends Omit<BarsProps, 'labelWidth'> {
  readonly drawn: DrawnBar;
  readonly colour: string;
  readonly reached: string | null;
}

function OneBar({ drawn, reached, isChosen, ...shown }: OneBarProps): ReactNode {
  const { bar } = drawn.placed;
  return <TimelineBar drawn={drawn} isSelected={isChosen(bar)} isReached={bar.key === reached} {...shown} />;
}

function LaneLabel({ lane, level, width }: Pick<LaneOf, 'lane' | 'level'> & { readonly width: number }): ReactNode {
  return (
    <div
      className="flex h-[25px] shrink-0 items-center border-r border-line pr-2 text-sm"
      style={{ width, paddingLeft: 12 + level * 14 }}
    >
      {lane.kind === 'agent' ? (
        <AgentName agent={lane.agent} />
      ) : (
        <span className="truncate text-muted">{LANE_NAMES[lane.kind]}</span>
      )}
    </div>
  );
}

const LANE_NAMES = { person: 'You', engine: 'Engine', call: 'Run' } as const;

interface TimelineRunProps extends BarsProps {
  readonly row: RunOf;
  readonly onToggle: () => void;
}

/** The head of a run below: the whole of it, and its agents when it is unfolded. */
function TimelineRun({ row, labelWidth, onToggle, ...drawing }: TimelineRunProps): ReactNode {
  const { title, isOpen, level, whole } = row;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <div
        className="flex h-[25px] shrink-0 items-center border-r border-line pr-2"
        style={{ width: labelWidth, paddingLeft: 6 + level * 14 }}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          title={visibleText(whole.about)}
          className="flex min-w-0 items-center gap-1 rounded-sm text-sm text-muted hover:text-text"
          onClick={onToggle}
        >
          <Icon size={13} aria-hidden className="shrink-0" />
          <span className="truncate font-medium">{visibleText(title)}</span>
        </button>
      </div>
      <div className="relative min-w-0 flex-1 overflow-hidden">
        {visibleBars([{ bar: whole, line: 0 }], drawing.scale, drawing.now).map((drawn) => (
          <OneBar key={whole.key} {...drawing} drawn={drawn} colour="var(--line-strong)" reached={null} />
        ))}
      </div>
    </>
  );
}

interface TimelineLanesProps extends BarsProps {
  readonly rows: readonly TimelineRow[];
  readonly scroller: RefObject<HTMLElement | null>;
  /** The bar the Tab key reaches. */
  readonly reached: string | null;
  readonly onToggle: (run: string) => void;
}

const LINE = 22;
const AXIS = 24;

/** The lanes in sight. */
export function TimelineLanes({ rows, scroller, ...props }: TimelineLanesProps): ReactNode {
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

interface RowProps extends Omit<TimelineLanesProps, 'rows' | 'scroller'> {
  readonly row: TimelineRow;
}

function Row({ row, reached, onToggle, ...shared }: RowProps): ReactNode {
  if (row.kind === 'run') return <TimelineRun row={row} {...shared} onToggle={() => onToggle(row.run)} />;
  const { lane, level, bars } = row;
  const mine = bars.some(({ bar }) => bar.key === reached) ? reached : null;
  const now = hasOpen(bars) ? shared.now : 0;
  return <LaneRow {...shared} lane={lane} level={level} bars={bars} now={now} reached={mine} />;
}

const hasOpen = (bars: readonly PlacedBar[]): boolean => bars.some(({ bar }) => bar.endedAt === null);
