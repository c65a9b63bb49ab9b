import type { ReactNode } from 'react';
import type { WorkTime } from '../../src/core/work-clock.ts';
import { useNow } from './clock.ts';
import { formatDuration } from './format.ts';

export function Duration({ ms }: { readonly ms: number }): ReactNode {
  return <span className="num whitespace-nowrap">{formatDuration(ms)}</span>;
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
  // Tenths of a second would flicker while it grows.
  const shown = (ms: number): number => (until === null && ms >= 1000 ? Math.floor(ms / 1000) * 1000 : ms);
  return (
    <>
      <Duration ms={shown(workedMs)} />
      {waitedMs >= 1000 && <Beside word="waited" ms={shown(waitedMs)} />}
      {pausedMs >= 1000 && <Beside word="paused" ms={shown(pausedMs)} />}
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
