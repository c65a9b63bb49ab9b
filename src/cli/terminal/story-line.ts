import { costText, durationText } from '../../core/amount-text.ts';
import type { CostUsd } from '../../core/usage.ts';
import type { Style } from './colour.ts';

/** One line about something that happened, for people. */
export interface StoryLine {
  readonly who: string;
  readonly text: string;
  readonly style: Style | null;
  /** How long it took and what it cost. */
  readonly spent?: string | undefined;
  /** A step of the engine rather than of the work: only with `--verbose`. */
  readonly isDetail?: true;
}

export const say = (who: string, text: string, style: Style | null = null): StoryLine => ({ who, text, style });

export const detail = (who: string, text: string): StoryLine => ({ who, text, style: 'dim', isDetail: true });

/** `12 s, $0.04`; what is unknown or next to nothing is left out. */
export function spentText(ms: number, costUsd: CostUsd = 0): string | undefined {
  const parts = [
    ...(ms < LEAST_MS ? [] : [durationText(ms)]),
    ...(costUsd === 0 || costUsd === null ? [] : [costText(costUsd)]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

const LEAST_MS = 100;

/** Time since a run began: `0:07`, `12:30`, `1:02:03`. */
export function clockText(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}
