import { memo, useMemo, type KeyboardEvent, type ReactNode } from 'react';
import type { Bar, LaneName } from '../../../src/protocol/history/bars.ts';
import { AgentName, useAgentColour } from '../../ui/agent-name.tsx';
import { TimelineBar } from './timeline-bar.tsx';
import type { PlacedBar } from './timeline-rows.ts';
import { visibleBars, type DrawnBar, type Scale } from './visible-bars.ts';

interface Props {
  readonly lane: LaneName;
  readonly level: number;
  readonly bars: readonly PlacedBar[];
  readonly scale: Scale;
  /** 0 where everything is over. */
  readonly now: number;
  readonly labelWidth: number;
  readonly reached: string | null;
  readonly isChosen: (bar: Bar) => boolean;
  readonly onChoose: (drawn: DrawnBar) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** One lane: whose it is, and what they did when. */
export const LaneRow = memo(function LaneRow(props: Props): ReactNode {
  const { lane, level, bars, scale, now, labelWidth, reached, isChosen, onChoose, onKeyDown } = props;
  const agent = useAgentColour(lane.kind === 'agent' ? lane.agent : '');
  const colour = lane.kind === 'agent' ? agent : lane.kind === 'person' ? 'var(--warn)' : 'var(--line-strong)';
  const drawn = useMemo(() => visibleBars(bars, scale, now), [bars, scale, now]);
  return (
    <>
      <LaneLabel lane={lane} level={level} width={labelWidth} />
      <div className="relative min-w-0 flex-1 overflow-hidden">
        {drawn.map((one) => (
          <TimelineBar
            key={one.placed.bar.key}
            drawn={one}
            scale={scale}
            now={one.placed.bar.endedAt === null ? now : 0}
            colour={colour}
            isSelected={isChosen(one.placed.bar)}
            isReached={one.placed.bar.key === reached}
            onChoose={onChoose}
            onKeyDown={onKeyDown}
          />
        ))}
      </div>
    </>
  );
});

function LaneLabel({
  lane,
  level,
  width,
}: {
  readonly lane: LaneName;
  readonly level: number;
  readonly width: number;
}): ReactNode {
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
