import type { CostUsd } from '../../src/core/usage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `340 ms`, `4.2 s`, `3 m 05 s`, `2 h 10 m`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  const length = Math.max(0, ms);
  if (length < SECOND) return `${Math.round(length)} ms`;
  if (length < 10 * SECOND) return `${(Math.floor(length / 100) / 10).toFixed(1)} s`;
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  if (length < HOUR) return `${Math.floor(length / MINUTE)} m ${padded((length % MINUTE) / SECOND)} s`;
  if (length < DAY) return `${Math.floor(length / HOUR)} h ${padded((length % HOUR) / MINUTE)} m`;
  return `${Math.floor(length / DAY)} d ${Math.floor((length % DAY) / HOUR)} h`;
}

const padded = (count: number): string => String(Math.floor(count)).padStart(2, '0');

/** An unknown price is said, and is not nothing. */
export function formatMoney(usd: CostUsd): string {
  if (usd === null) return 'price unknown';
  if (usd === 0) return '$0';
  if (usd < 0.01) return '< $0.01';
  return usd < 100 ? `$${usd.toFixed(2)}` : `$${Math.round(usd).toLocaleString('en-US')}`;
}

/** `812`, `14.2k`, `3.1M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${short(count / 1000)}k`;
  return `${short(count / 1_000_000)}M`;
}

const short = (value: number): string =>
  value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));

/** `now`, `4 m ago`, `3 h ago`, `2 d ago`, then the day itself. */
export function formatAgo(at: number, now: number): string {
  const age = now - at;
  if (age < 10 * SECOND) return 'now';
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s ago`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)} m ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  if (age < 7 * DAY) return `${Math.floor(age / DAY)} d ago`;
  return new Date(at).toISOString().slice(0, 10);
}

/** `14:03:27`, by the reader's clock. */
export const formatClock = (at: number): string => new Date(at).toTimeString().slice(0, 8);

export const formatBytes = (bytes: number): string =>
  bytes < 1000 ? `${bytes} B` : bytes < 1_000_000 ? `${short(bytes / 1000)} kB` : `${short(bytes / 1_000_000)} MB`;
