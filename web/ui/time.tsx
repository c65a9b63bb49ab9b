import type { ReactNode } from 'react';
import { useNow } from './clock.ts';
import { formatAgo } from './format.ts';

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
