import type { ReactNode } from 'react';
import { durationText } from '../../src/core/amount-text.ts';
import type { WorkTime } from '../../src/core/work-clock.ts';
import { useNow } from './clock.ts';

export function Duration({ ms }: { readonly ms: number }): ReactNode {
  return <span className="num whitespace-nowrap">{durationText(ms)}</span>;
}

interface WorkedProps {
  /** The time until a moment. */
  readonly timeAt: (at: number) => WorkTime;
  /** Null while it grows. */
  readonly until: number | null;
}

/** Time at work; what was waited for a person and paused stands beside it. */
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
