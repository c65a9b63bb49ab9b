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
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const atOf = (event: PointerEvent<HTMLElement>): number =>
    scale.range.from + ((event.clientX - event.currentTarget.getBoundingClientRect().left) / scale.width) * (scale.range.to - scale.range.from);
  const begin = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = atOf(event);
    setDrag({ from: at, to: at });
  };
  const end = (): void => {
    if (drag === null) return;
    setDrag(null);
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    if (xOf(to, scale) - xOf(from, scale) > 5) onRange({ from, to });
  };
  return (
    <div className="sticky top-0 z-10 flex h-6 border-b border-line bg-surface">
      <div className="shrink-0 border-r border-line pl-3 text-xs leading-6 text-muted" style={{ width: labelWidth }}>
        Timeline
      </div>
      <div
        className="relative min-w-0 flex-1 cursor-col-resize touch-none overflow-hidden select-none"
        title="Drag to look at a part of it; double click for all"
        data-axis
        onPointerDown={begin}
        onPointerMove={(event) => drag !== null && setDrag({ ...drag, to: atOf(event) })}
        onPointerUp={end}
        onDoubleClick={onWhole}
      >
        {axisMarks(scale.range, { start, most: Math.max(1, Math.floor(scale.width / APART)) }).map(({ at, text }) => (
          <span key={at} className="num absolute top-0 border-l border-line pl-1 text-2xs leading-6 text-muted" style={{ left: xOf(at, scale) }}>
            {text}
          </span>
        ))}
        {drag !== null && (
          <span
            className="absolute inset-y-0 bg-accent-soft opacity-70"
            style={{ left: xOf(Math.min(drag.from, drag.to), scale), width: Math.abs(xOf(drag.to, scale) - xOf(drag.from, scale)) }}
          />
        )}
      </div>
    </div>
  );
}
