import type { CostUsd } from '../model/usage.ts';

/** Lengths of time, counts and costs as text: the terminal, the page and the engine's messages all print these. */

/** `812`, `14.2k`, `3.1M`. */
export function shortCount(count: number): string {
  if (count < 999.5) return String(Math.round(count));
  if (count < 999_500) return `${short(count / 1000)}k`;
  return `${short(count / 1_000_000)}M`;
}

export const short = (value: number): string =>
  value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));

/** `340 ms`, `4.2 s`, `12 s`, `3m 05s`, `2h 10m`, `3d 4h`; always rounded to the nearest. */
export function durationText(ms: number): string {
  const length = Math.max(0, ms);
  if (length < 999.5) return `${Math.round(length)} ms`;
  if (length < 9950) return `${(length / 1000).toFixed(1)} s`;
  const seconds = Math.round(length / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${twoDigits(seconds % 60)}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** `2026-11-18 07:00:00 UTC`. */
export const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** How long ago in one unit, never rounded up: `12s`, `4m`, `3h`, `2d`. */
export function ageText(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** `$0.00`, `$0.0042`, `$1.50`, `$1,234.60`. An unknown cost is never shown as zero. */
export function costText(usd: CostUsd, unknown = 'cost unknown'): string {
  if (usd === null) return unknown;
  if (usd > 0 && usd < LEAST_SHOWN / 2) return `< $${LEAST_SHOWN.toFixed(MOST_DECIMALS)}`;
  if (usd > 0 && usd < 0.00995) return `$${usd.toFixed(smallDecimals(usd)).replace(/0+$/, '')}`;
  return `$${usd.toFixed(2).replace(THOUSANDS, ',')}`;
}

const MOST_DECIMALS = 6;
const LEAST_SHOWN = 1e-6;
const THOUSANDS = /\B(?=(?:\d{3})+\.)/g;

/** Below a cent: two figures after the zeros. */
const smallDecimals = (usd: number): number => Math.min(MOST_DECIMALS, 1 - Math.floor(Math.log10(usd)));

export interface KnownCost {
  readonly costUsd: CostUsd;
  /** The sum over the calls whose price is known. */
  readonly knownCostUsd: number;
}

/** `$0.12 + unknown` where only some of the calls have a known price. */
export const knownCostText = ({ costUsd, knownCostUsd }: KnownCost, unknown?: string): string =>
  costUsd !== null || knownCostUsd === 0 ? costText(costUsd, unknown) : `${costText(knownCostUsd)} + unknown`;
