import { useState, type PointerEvent, type ReactNode } from 'react';
import { axisMarks, type TimeRange } from './time-range.ts';
import { xOf, type Scale } from './visible-bars.ts';

interface Props {
  readonly scale: Scale;
  /** When the run began. */
  readonly start: number;
  readonly labelWidth: number;
  readonly onRange: (range: TimeRange) => void;
  readonly onWhole: () => void;
}

const APART = 88;

/** The time since the beginning; a part of it is shown alone by dragging over it, all of it again by a double click. */
export function TimelineAxis({ scale, start, labelWidth, onRange, onWhole }: Props): ReactNode {
  const { drag, ...hands } = useDrag(scale, onRange);
  return (
    <div className="sticky top-0 z-10 flex h-6 border-b border-line bg-surface">
      <div
        className="shrink-0 border-r border-line pl-3 text-xs leading-6 text-muted"
        style={{ width: labelWidth }}
        aria-hidden
      >
        Timeline
      </div>
      <div
        className="relative min-w-0 flex-1 cursor-col-resize touch-none overflow-hidden select-none"
        title="Drag to look at a part of it; double click for all"
        data-axis
        {...hands}
        onDoubleClick={onWhole}
      >
        {axisMarks(scale.range, { start, most: Math.max(1, Math.floor(scale.width / APART)) }).map(({ at, text }) => (
          <span
            key={at}
            className="num absolute top-0 border-l border-line pl-1 text-2xs leading-6 text-muted"
            style={{ left: xOf(at, scale) }}
          >
            {text}
          </span>
        ))}
        {drag !== null && (
          <span
            className="absolute inset-y-0 bg-accent-soft opacity-70"
            style={{ left: xOf(drag.from, scale), width: xOf(drag.to, scale) - xOf(drag.from, scale) }}
          />
        )}
      </div>
    </div>
  );
}

interface Dragging {
  /** What is marked now. */
  readonly drag: TimeRange | null;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: () => void;
}

function useDrag(scale: Scale, onRange: (range: TimeRange) => void): Dragging {
  const [ends, setEnds] = useState<readonly [number, number] | null>(null);
  const drag = ends === null ? null : { from: Math.min(...ends), to: Math.max(...ends) };
  const atOf = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const part = (clientX - currentTarget.getBoundingClientRect().left) / scale.width;
    return scale.range.from + part * (scale.range.to - scale.range.from);
  };
  return {
    drag,
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setEnds([atOf(event), atOf(event)]);
    },
    onPointerMove: (event) => {
      if (ends !== null) setEnds([ends[0], atOf(event)]);
    },
    onPointerUp: () => {
      setEnds(null);
      if (drag !== null && xOf(drag.to, scale) - xOf(drag.from, scale) > LEAST_DRAG) onRange(drag);
    },
  };
}

/** Less was a click. */
const LEAST_DRAG = 5;
