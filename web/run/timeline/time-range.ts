/** The part of the time that is shown. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The narrowest there is: less says nothing more. */
const LEAST_MS = 20;

export const spanOf = ({ from, to }: TimeRange): number => to - from;

/** Narrower (factor below 1) or wider around a moment that stays where it is; never more than the whole. */
export function zoomed(
  range: TimeRange,
  around: { readonly at: number; readonly factor: number },
  whole: TimeRange,
): TimeRange {
  const { at, factor } = around;
  const span = Math.min(spanOf(whole), Math.max(LEAST_MS, spanOf(range) * factor));
  const part = spanOf(range) === 0 ? 0.5 : (at - range.from) / spanOf(range);
  return within({ from: at - part * span, to: at - part * span + span }, whole);
}

export const panned = (range: TimeRange, ms: number, whole: TimeRange): TimeRange =>
  within({ from: range.from + ms, to: range.to + ms }, whole);

/** Moved, not cut, until it is inside of the whole; as long as the whole where it is longer. */
export function within({ from, to }: TimeRange, whole: TimeRange): TimeRange {
  const span = Math.min(to - from, spanOf(whole));
  const start = Math.max(whole.from, Math.min(from, whole.to - span));
  return { from: start, to: start + span };
}

export const isWhole = (range: TimeRange, whole: TimeRange): boolean => spanOf(range) >= spanOf(whole) * 0.999;

/** Where marks stand on the axis: even steps that people count in, not closer than they can be read. */
export function axisMarks(
  { from, to }: TimeRange,
  { start, most }: { readonly start: number; readonly most: number },
): readonly AxisMark[] {
  const step = STEPS.find((ms) => (to - from) / ms <= most) ?? Math.ceil((to - from) / most / DAY) * DAY;
  const first = Math.ceil((from - start) / step) * step;
  const count = Math.floor((to - start - first) / step) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const after = first + index * step;
    return { at: start + after, text: sinceStart(after, step) };
  });
}

export interface AxisMark {
  readonly at: number;
  /** Since the beginning of the run. */
  readonly text: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS = [
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7].map((count) => count * DAY),
];

/** `0`, `1.5 s`, `2:30`, `3:00 h`, `2 d 4 h`. */
function sinceStart(ms: number, step: number): string {
  if (ms === 0) return '0';
  if (step < SECOND) return ms < SECOND ? `${ms} ms` : `${trimmed(ms / SECOND)} s`;
  if (ms < MINUTE) return `${ms / SECOND} s`;
  const pair = (high: number, low: number): string =>
    `${Math.floor(ms / high)}:${String(Math.floor((ms % high) / low)).padStart(2, '0')}`;
  if (ms < HOUR) return pair(MINUTE, SECOND);
  if (ms < DAY)
    return step < MINUTE
      ? `${pair(HOUR, MINUTE)}:${String((ms % MINUTE) / SECOND).padStart(2, '0')}`
      : `${pair(HOUR, MINUTE)} h`;
  const hours = Math.floor((ms % DAY) / HOUR);
  return `${Math.floor(ms / DAY)} d${hours === 0 ? '' : ` ${hours} h`}`;
}

const trimmed = (seconds: number): string => seconds.toFixed(2).replace(/\.?0+$/, '');
