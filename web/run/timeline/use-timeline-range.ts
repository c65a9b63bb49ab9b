import { useMemo, useState } from 'react';
import { isWhole, panned, within, zoomed, type TimeRange } from './time-range.ts';

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
