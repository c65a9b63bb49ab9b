import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

interface Choice {
  readonly list: Pick<Virtualizer<HTMLDivElement, HTMLLIElement>, 'scrollToIndex' | 'scrollToEnd'>;
  /** None until all there was has been read: what is chosen may be in what comes. */
  readonly count: number;
  readonly chosen: number;
  readonly choice: string;
  readonly isLive: boolean;
}

/** Shows what is chosen whenever that is something else; rows that come move nothing. What is live begins at its end. */
export function useChoice({ list, count, chosen, choice, isLive }: Choice): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (count === 0) return;
    const isFirst = shown.current === null;
    const now = `${choice} ${chosen >= 0}`;
    if (shown.current === now) return;
    shown.current = now;
    if (chosen >= 0) list.scrollToIndex(chosen, { align: 'start' });
    else if (isFirst && isLive) list.scrollToEnd();
  }, [list, count, chosen, choice, isLive]);
}
