import { useNow } from './clock.ts';
import { type ReactNode } from 'react';
import { ageText, costText, durationText, shortCount } from '../../src/core/look/amount-text.ts';
import { cachedPercent, type CostUsd, type Usage } from '../../src/core/model/usage.ts';
import type { WorkTime } from '../../src/core/fold/work-clock.ts';

export function Money({ usd }: { readonly usd: CostUsd }): ReactNode {
  const title = usd === null ? 'At least one call had a model whose price is not known.' : `$${usd.toFixed(6)}`;
  return (
    <span className={`num whitespace-nowrap ${usd === null ? 'text-muted italic' : ''}`} title={title}>
      {costText(usd)}
    </span>
  );
}

export function Duration({ ms }: { readonly ms: number }): ReactNode {
  return <span className="num whitespace-nowrap">{durationText(ms)}</span>;
}

interface WorkedProps {
  /** The time until a moment. */
  readonly timeAt: (at: number) => WorkTime;
  /** Null while it grows. */
  readonly until: number | null;
}

/** Working time, with the time spent waiting for a person or paused. */
export function Worked({ timeAt, until }: WorkedProps): ReactNode {
  const now = useNow(until === null);
  const { workedMs, waitedMs, pausedMs } = timeAt(until ?? now);
  return (
    <>
      <Duration ms={workedMs} />
      {waitedMs >= 1000 && <Beside word="waited" ms={waitedMs} />}
      {pausedMs >= 1000 && <Beside word="paused" ms={pausedMs} />}
    </>
  );
}

function Beside({ word, ms }: { readonly word: string; readonly ms: number }): ReactNode {
  return (
    <span className="text-muted">
      {' '}
      · {word} <Duration ms={ms} />
    </span>
  );
}

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

/** A moment by its age; the exact time when pointed at. */
export function Time({ at }: { readonly at: number }): ReactNode {
  const now = useNow();
  const moment = new Date(at);
  return (
    <time dateTime={moment.toISOString()} title={moment.toLocaleString()} className="num whitespace-nowrap">
      {formatAgo(at, now)}
    </time>
  );
}

export function Tokens({ count }: { readonly count: number }): ReactNode {
  return (
    <span className="num whitespace-nowrap" title={`${count.toLocaleString('en-US')} tokens`}>
      {shortCount(count)}
    </span>
  );
}

/** Tokens from a provider's cache, and their share of the input. */
export function CachedTokens({ usage }: { readonly usage: Usage }): ReactNode {
  return (
    <>
      <Tokens count={usage.cacheReadTokens} />
      {usage.cacheReadTokens > 0 && (
        <span className="num text-muted" title="Of the tokens in">
          {' '}
          {cachedPercent(usage)}%
        </span>
      )}
    </>
  );
}
