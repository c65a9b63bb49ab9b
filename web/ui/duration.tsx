import type { ReactNode } from 'react';
import { useNow } from './clock.ts';
import { formatDuration } from './format.ts';

export function Duration({ ms }: { readonly ms: number }): ReactNode {
  return <span className="num whitespace-nowrap">{formatDuration(ms)}</span>;
}

/** How long something has been going on: it grows until there is an end. */
export function Elapsed({ from, to }: { readonly from: number; readonly to: number | null }): ReactNode {
  const now = useNow(to === null);
  const ms = Math.max(0, (to ?? now) - from);
  // Tenths of a second would flicker while it grows.
  return <Duration ms={to === null && ms >= 1000 ? Math.floor(ms / 1000) * 1000 : ms} />;
}
