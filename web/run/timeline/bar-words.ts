import type { Bar } from '../../model/timeline-fold.ts';
import { formatDuration } from '../../ui/format.ts';

/** Words for bars: what is written in them, and all that is known when pointed at. */

export function barLabel(bar: Bar): string {
  if (bar.kind === 'permission') return 'permission';
  if (bar.kind === 'limit') return `limit: ${bar.about}`;
  if (bar.kind === 'pause') return 'paused';
  if (bar.kind === 'ask' || bar.kind === 'call') return bar.about;
  return bar.unit === null ? bar.state : `${bar.state} · ${bar.unit}`;
}

/** Only what is not as it should be, and how long it took. */
export function barEnd(bar: Bar, now: number): string {
  const outcome = bar.outcome === null || bar.outcome === 'ok' ? [] : [bar.outcome];
  return [...outcome, formatDuration(barMs(bar, now))].join(' · ');
}

export const barMs = ({ startedAt, endedAt }: Bar, now: number): number => Math.max(0, (endedAt ?? now) - startedAt);

export function barTitle(bar: Bar, now: number): string {
  const { queuedAt, startedAt, ticks, waits, failure } = bar;
  const waited = waits.reduce((sum, { from, to }) => sum + (to ?? now) - from, 0);
  const lines = [
    `${whoDoes(bar)}: ${barLabel(bar)}, visit ${bar.visit}`,
    bar.about === barLabel(bar) ? '' : bar.about,
    `${bar.endedAt === null ? 'under way' : (bar.outcome ?? 'ended')} · ${formatDuration(barMs(bar, now))}`,
    queuedAt === null ? '' : `queued for ${formatDuration(startedAt - queuedAt)}`,
    waited === 0 ? '' : `waited ${formatDuration(waited)}`,
    ...ticks.map(({ text }) => text),
    failure === null ? '' : failure.message,
    bar.isUndone ? 'undone: the run was put back to before it' : '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

export function whoDoes({ lane }: Bar): string {
  return lane.kind === 'agent' ? lane.agent : LANE_WORDS[lane.kind];
}

export const LANE_WORDS = { person: 'you', engine: 'engine', call: 'run' } as const;
