import type { PlacedBar } from './timeline-rows.ts';
import type { TimeRange } from './time-range.ts';
import { durationText } from '../../../src/core/look/amount-text.ts';
import { openTaskTime, runTime } from '../../../src/core/fold/work-clock.ts';
import type { Bar } from '../../../src/protocol/history/bars.ts';

/** A drawn bar of a lane: only those in sight, with those too small to distinguish joined. */
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

/** Words for bars: what is written in them, and all that is known when pointed at. */

export function barLabel(bar: Bar): string {
  if (bar.kind === 'permission') return 'permission';
  if (bar.kind === 'limit') return `limit: ${bar.about}`;
  if (bar.kind === 'pause') return 'paused';
  if (bar.kind === 'ask' || bar.kind === 'call') return bar.about;
  const isSaid = bar.unit === null || (bar.lane.kind === 'agent' && bar.lane.agent === bar.unit);
  return isSaid ? bar.state : `${bar.state} · ${bar.unit}`;
}

/** Only what is not as it should be, and how long it took. */
export function barEnd(bar: Bar, now: number): string {
  const outcome = bar.outcome === null || bar.outcome === 'ok' ? [] : [bar.outcome];
  return [...outcome, durationText(barMs(bar, now))].join(' · ');
}

/** Time at work; of a question, how long it was open. */
export function barMs({ startedAt, endedAt, clock }: Bar, now: number): number {
  const until = endedAt ?? now;
  if (clock === null) return Math.max(0, until - startedAt);
  const { run, task } = clock;
  return (task === null ? runTime(run, until) : openTaskTime(run, task, until)).workedMs;
}

/** The accessible name: the visible text word for word, then all the rest. */
export function barName(bar: Bar, now: number): string {
  const named = `${whoDoes(bar)}: ${barLabel(bar)} ${barEnd(bar, now)}`;
  return [named, `visit ${bar.visit}`, howIsIt(bar), ...more(bar, now)].join(', ');
}

export function barTitle(bar: Bar, now: number): string {
  const lines = [
    `${whoDoes(bar)}: ${barLabel(bar)}, visit ${bar.visit}`,
    `${howIsIt(bar)} · ${durationText(barMs(bar, now))}`,
    ...more(bar, now),
  ];
  return lines.join('\n');
}

/** Work without an outcome was cut off. */
const howIsIt = ({ kind, endedAt, outcome }: Bar): string =>
  endedAt === null ? 'under way' : (outcome ?? (NO_WORK.has(kind) ? 'ended' : 'cut off'));

const NO_WORK: ReadonlySet<Bar['kind']> = new Set(['permission', 'limit', 'pause']);

function more(bar: Bar, now: number): readonly string[] {
  const { about, queuedAt, startedAt, ticks, waits, failure } = bar;
  const waited = waits.reduce((sum, { from, to }) => sum + (to ?? now) - from, 0);
  const lines = [
    about === barLabel(bar) ? '' : about,
    queuedAt === null ? '' : `queued for ${durationText(startedAt - queuedAt)}`,
    waited === 0 ? '' : `waited ${durationText(waited)}`,
    ...ticks.map(({ text }) => text),
    failure === null ? '' : failure.message,
    bar.isUndone ? 'undone: the run was put back to before it' : '',
  ];
  return lines.filter((line) => line !== '');
}

export function whoDoes({ lane }: Bar): string {
  return lane.kind === 'agent' ? lane.agent : LANE_WORDS[lane.kind];
}

export const LANE_WORDS = { person: 'you', engine: 'engine', call: 'run' } as const;
