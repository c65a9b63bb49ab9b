import { type PointerEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { axisMarks, type TimeRange } from './time-range.ts';
import type { TimelineRange } from './use-time.ts';
import { type Scale, xOf } from './visible-bars.ts';

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
  /** The marked range. */
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

interface Place {
  readonly labelWidth: number;
  readonly width: number;
}

/**
 * The wheel over the axis, or with Ctrl anywhere, makes the time wider or narrower around the pointer; sideways it moves through
 * it. Else it scrolls the lanes.
 */
export function useWheel(element: RefObject<HTMLElement | null>, shown: TimelineRange, place: Place): void {
  const latest = useRef({ shown, place });
  useEffect(() => {
    latest.current = { shown, place };
  });
  useEffect(() => {
    const node = element.current;
    const turned = (event: WheelEvent): void => {
      const { shown: now, place: at } = latest.current;
      const span = now.range.to - now.range.from;
      const isOnAxis = event.target instanceof Element && event.target.closest('[data-axis]') !== null;
      if (event.ctrlKey || event.metaKey || isOnAxis) {
        event.preventDefault();
        const x = event.clientX - (node?.getBoundingClientRect().left ?? 0) - at.labelWidth;
        now.zoom(Math.exp(event.deltaY * 0.0022), now.range.from + (x / at.width) * span);
        return;
      }
      const sideways = event.shiftKey ? event.deltaX + event.deltaY : event.deltaX;
      if (sideways === 0 || now.isAll) return;
      event.preventDefault();
      now.pan((sideways / at.width) * span);
    };
    // Browsers scroll by default: only a listener that is not passive can prevent that.
    node?.addEventListener('wheel', turned, { passive: false });
    return () => node?.removeEventListener('wheel', turned);
  }, [element]);
}

/** How wide an element is, again whenever that changes. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const node = element.current;
    if (node === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(node.clientWidth));
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
