import { ageText } from '../../src/core/amount-text.ts';

const SECOND = 1000;
const DAY = 86_400 * SECOND;

/** `now`, `4m ago`, `3h ago`, `2d ago`, then the day itself. */
export function formatAgo(at: number, now: number): string {
  const age = now - at;
  if (age < 10 * SECOND) return 'now';
  if (age < 7 * DAY) return `${ageText(age)} ago`;
  return new Date(at).toISOString().slice(0, 10);
}

/** `14:03:27`, by the reader's clock. */
export const formatClock = (at: number): string => new Date(at).toTimeString().slice(0, 8);
