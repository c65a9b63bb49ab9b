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
  readonly now: number;
}

export const xOf = (at: number, { range, width }: Pick<Scale, 'range' | 'width'>): number =>
  ((at - range.from) / Math.max(1, range.to - range.from)) * width;

/** Narrower than this nothing can be seen or hit. */
const LEAST = 3;

export function visibleBars(bars: readonly PlacedBar[], scale: Scale): readonly DrawnBar[] {
  const drawn: DrawnBar[] = [];
  /** By line: the last one that was drawn. */
  const last = new Map<number, number>();
  for (const placed of bars) {
    const { bar, line } = placed;
    const end = bar.endedAt ?? scale.now;
    if (end < scale.range.from || (bar.queuedAt ?? bar.startedAt) > scale.range.to) continue;
    const left = xOf(bar.startedAt, scale);
    const width = Math.max(LEAST, xOf(end, scale) - left);
    const before = drawn[last.get(line) ?? -1];
    if (before !== undefined && width <= LEAST && left < before.left + before.width && before.width <= LEAST * 2) {
      const grown = Math.max(before.width, left + width - before.left);
      drawn[last.get(line) ?? -1] = { ...before, width: grown, count: before.count + 1 };
      continue;
    }
    last.set(line, drawn.push({ placed, left, width, count: 1 }) - 1);
  }
  return drawn;
}
