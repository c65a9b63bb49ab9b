import { useMemo } from 'react';
import { useSelection } from '../../model/selection.ts';
import type { EventFilter } from './event-rows.ts';

/** Which records are looked for: it stands in the address. */
export function useEventFilter(): readonly [EventFilter, (filter: EventFilter) => void] {
  const [{ kind = '', only = '', text = '' }, select] = useSelection();
  const filter = useMemo(() => ({ kind, run: only, text }), [kind, only, text]);
  const look = (next: EventFilter): void =>
    select({ kind: next.kind || undefined, only: next.run || undefined, text: next.text || undefined });
  return [filter, look];
}
