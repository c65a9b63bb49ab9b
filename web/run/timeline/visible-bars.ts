import type { PlacedBar } from './timeline-rows.ts';
import type { TimeRange } from './time-range.ts';

/** What of a lane is drawn: bars that are in sight; those too small to be told apart are one. */
export interface DrawnBar {
  readonly placed: PlacedBar;
  readonly left: number;
  readonly width: number;
  /** How many bars it stands for. */
  readonly count: number;
}

export interface Scale {
  readonly range: TimeRange;
  /** In pixels. */
  readonly width: number;
}

export const xOf = (at: number, { range, width }: Pick<Scale, 'range' | 'width'>): number =>
  ((at - range.from) / Math.max(1, range.to - range.from)) * width;

/** Narrower than this nothing can be seen or hit. */
const LEAST = 3;

/** `now`: how far what is not over reaches. */
export function visibleBars(bars: readonly PlacedBar[], scale: Scale, now: number): readonly DrawnBar[] {
  const drawn: DrawnBar[] = [];
  /** By line: the last one that was drawn. */
  const last = new Map<number, number>();
  for (const placed of bars) {
    const one = drawnBar(placed, scale, now);
    if (one === null) continue;
    const place = last.get(placed.line) ?? -1;
    const before = drawn[place];
    if (before !== undefined && isHeap(before, one)) drawn[place] = heapOf(before, one);
    else last.set(placed.line, drawn.push(one) - 1);
  }
  return drawn;
}

function drawnBar(placed: PlacedBar, scale: Scale, now: number): DrawnBar | null {
  const { queuedAt, startedAt, endedAt } = placed.bar;
  const end = endedAt ?? now;
  if (end < scale.range.from || (queuedAt ?? startedAt) > scale.range.to) return null;
  const left = xOf(startedAt, scale);
  return { placed, left, width: Math.max(LEAST, xOf(end, scale) - left), count: 1 };
}

/** Both too small, and one upon the other. */
const isHeap = (before: DrawnBar, next: DrawnBar): boolean =>
  next.width <= LEAST && before.width <= LEAST * 2 && next.left < before.left + before.width;

const heapOf = (before: DrawnBar, next: DrawnBar): DrawnBar => ({
  ...before,
  width: Math.max(before.width, next.left + next.width - before.left),
  count: before.count + 1,
});
