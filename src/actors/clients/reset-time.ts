/**
 * How long until a used-up allowance comes back, in milliseconds, from the words a client has for it:
 * `limit reached|1800000000`, `resets at 2026-11-17T03:00:00Z`, `resets 3pm (Europe/Berlin)`, `resets Nov 20, 3:30pm (UTC)`,
 * `try again in 3 hours 20 minutes`, `try again at Nov 19th, 2026 5:13 AM (UTC)`. Undefined where no time is told.
 */
export function resetAfterMs(words: string, now: number): number | undefined {
  const wait = untilEpoch(words, now) ?? untilDate(words, now) ?? afterSpan(words) ?? untilClock(words, now);
  return wait === undefined || !Number.isFinite(wait) ? undefined : Math.max(0, Math.ceil(wait));
}

/** Seconds or milliseconds since the epoch. */
export function untilMoment(moment: number, now: number): number {
  return (moment < 1e11 ? moment * 1000 : moment) - now;
}

function untilEpoch(words: string, now: number): number | undefined {
  const match = /(?:\||resets?(?:_?at)?\W{1,3})(\d{10,13})\b/i.exec(words);
  return match === null ? undefined : untilMoment(Number(match[1]), now);
}

function untilDate(words: string, now: number): number | undefined {
  const match = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(words);
  return match === null ? undefined : Date.parse(match[0]) - now;
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

function afterSpan(words: string): number | undefined {
  const match = /\b(?:try again|resets?|retry) in ((?:\d+ ?[a-z]+[ ,]*(?:and )?)+)/i.exec(words);
  if (match === null) return undefined;
  const parts = [...(match[1] ?? '').matchAll(/(\d+) ?(d|h|m|s)[a-z]*/gi)];
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, size, unit = '']) => sum + Number(size) * (UNITS[unit.toLowerCase()] ?? 0), 0);
}

const CLOCK =
  /(?:resets?|try again)(?: at| on)? (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th)?(?:, \d{4})?(?:, | at | ))?(\d{1,2})(?::(\d\d))? ?([ap]m)?(?: \(([\w/+-]+)\))?/i;
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';
const DAY_MS = 86_400_000;

/** Whose clock is a little ahead hears of a time that was a moment ago. */
const JUST_NOW_MS = 5 * 60_000;

/** A time of day, perhaps with a date, in a zone by its name: the next one that fits, or the one that was just now. */
function untilClock(words: string, now: number): number | undefined {
  const match = CLOCK.exec(words);
  if (match === null) return undefined;
  const [, month, day, hour = '', minute = '0', half, zone = 'UTC'] = match;
  const offset = zoneOffset(zone, now);
  const time = { hours: hourOfDay(hour, half), minutes: Number(minute) };
  const there = new Date(now + offset);
  const moments = month === undefined ? nextDays(there, time) : nextYears(there, time, `${month} ${day ?? ''}`);
  const moment = moments.map((each) => each - offset).find((each) => each > now - JUST_NOW_MS);
  return moment === undefined ? undefined : moment - now;
}

const hourOfDay = (hour: string, half: string | undefined): number =>
  half === undefined ? Number(hour) % 24 : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);

interface TimeOfDay {
  readonly hours: number;
  readonly minutes: number;
}

function nextDays(there: Date, { hours, minutes }: TimeOfDay): readonly number[] {
  const today = Date.UTC(there.getUTCFullYear(), there.getUTCMonth(), there.getUTCDate(), hours, minutes);
  return [today - DAY_MS, today, today + DAY_MS];
}

function nextYears(there: Date, { hours, minutes }: TimeOfDay, date: string): readonly number[] {
  const [month = '', day] = date.split(' ');
  const index = MONTHS.indexOf(month.toLowerCase()) / 3;
  const year = there.getUTCFullYear();
  return [year - 1, year, year + 1].map((each) => Date.UTC(each, index, Number(day), hours, minutes));
}

/** Milliseconds that the clocks there are ahead of UTC; none where nobody knows the zone. */
function zoneOffset(zone: string, now: number): number {
  try {
    const there = new Date(now).toLocaleString('sv-SE', { timeZone: zone });
    return Date.parse(`${there.replace(' ', 'T')}Z`) - Math.floor(now / 1000) * 1000;
  } catch {
    return 0;
  }
}
