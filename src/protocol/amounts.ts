import { short, shortCount } from '../core/look/amount-text.ts';
import { totalTokens, type Usage } from '../core/model/usage.ts';

/** `1 call`, `2 calls`. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** In the person's own time, to the second. */
export function localTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

export const tokens = (usage: Usage): string => `${shortCount(totalTokens(usage))} tokens`;

/** Disk space: `12 bytes`, `1.2 KB`, `5 MB`. */
export function space(bytes: number): string {
  const units = ['KB', 'MB', 'GB', 'TB'];
  if (bytes < 1000) return counted(bytes, 'byte');
  const unit = Math.min(Math.floor(Math.log10(bytes * ROUNDED_UP) / 3), units.length);
  return `${short(bytes / 1000 ** unit)} ${units[unit - 1]}`;
}

/** 999,950 bytes are 1 MB, not 1000 KB. */
const ROUNDED_UP = 1.0005;
