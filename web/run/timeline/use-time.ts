import { useMemo, useState } from 'react';
import { lastMoment } from '../../model/run-tree.ts';
import { useTree } from '../../model/use-run.ts';
import { useNow } from '../../ui/clock.ts';
import { runStatusText } from '../run-words.ts';
import { isWhole, panned, type TimeRange, within, zoomed } from './time-range.ts';

export interface TimelineRange {
  readonly range: TimeRange;
  readonly isAll: boolean;
  readonly set: (range: TimeRange) => void;
  readonly all: () => void;
  readonly zoom: (factor: number, at?: number) => void;
  readonly pan: (ms: number) => void;
}

/** Which part of the time is shown. All of it grows with the run; a part that somebody chose stays where it is. */
export function useTimelineRange(whole: TimeRange): TimelineRange {
  const [chosen, setChosen] = useState<TimeRange | null>(null);
  const range = useMemo(() => (chosen === null ? whole : within(chosen, whole)), [chosen, whole]);
  const put = (next: TimeRange): void => setChosen(isWhole(next, whole) ? null : next);
  return {
    range,
    isAll: chosen === null,
    set: put,
    all: () => setChosen(null),
    zoom: (factor, at = (range.from + range.to) / 2) => put(zoomed(range, { at, factor }, whole)),
    pan: (ms) => put(panned(range, ms, whole)),
  };
}

export interface WholeTime {
  readonly whole: TimeRange;
  readonly start: number;
  readonly now: number;
  readonly isLive: boolean;
}

const LIVE: ReadonlySet<string> = new Set(['running', 'waiting', 'paused']);

/** From the beginning of the run to its end, or to now, with a little room behind. */
export function useWholeTime(): WholeTime {
  const start = useTree((tree) => tree.runs.get(tree.root)?.snapshot.startedAt ?? 0);
  // No process drives it: no time passes for it.
  const isLive = useTree((tree) => LIVE.has(runStatusText(tree)));
  const latest = useTree(lastMoment);
  const clock = useNow(isLive);
  // A server's clock may be ahead of this one.
  const now = isLive ? Math.max(clock, latest) : latest;
  const to = start + roomFor(now - start);
  const whole = useMemo(() => ({ from: start, to }), [start, to]);
  return { whole, start, now, isLive };
}

/** Grows by steps, not with every record: else all bars would have to be drawn again for a hair's breadth. */
function roomFor(ms: number): number {
  const span = Math.max(200, ms) * 1.01;
  const step = 10 ** Math.floor(Math.log10(span)) / 50;
  return Math.ceil(span / step) * step;
}
