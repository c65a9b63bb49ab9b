import { Fault } from '../../core/fault.ts';

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** `30d`, `12h`: a length of time in milliseconds. A bare number would leave everybody guessing. */
export function ageOption(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit ?? ''];
  if (count !== undefined && factor !== undefined) return Number(count) * factor;
  throw new Fault('USAGE', `"${text}" is not a length of time.`, { hint: 'As in: 30d, 12h, 45m, 2w' });
}
