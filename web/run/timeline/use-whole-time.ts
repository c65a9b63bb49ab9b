import { useMemo } from 'react';
import { useTree } from '../../model/use-run.ts';
import { useNow } from '../../ui/clock.ts';
import { runStatus } from '../run-words.ts';
import { useRunCard } from '../use-run-card.ts';
import type { TimeRange } from './time-range.ts';

export interface WholeTime {
  readonly whole: TimeRange;
  readonly start: number;
  readonly now: number;
  readonly isLive: boolean;
}

const LIVE: ReadonlySet<string> = new Set(['running', 'waiting', 'paused']);

/** From the beginning of the run to its end, or to now, with a little room behind. */
export function useWholeTime(): WholeTime {
  const start = useTree((tree) => tree.runs.get(tree.root)?.snapshot.startedAt ?? 0);
  const card = useRunCard();
  // Nobody drives it: no time passes for it.
  const isLive = useTree((tree) => LIVE.has(runStatus(tree, card)));
  const latest = useTree((tree) => {
    let at = 0;
    for (const { snapshot } of tree.runs.values()) at = Math.max(at, snapshot.at);
    return at;
  });
  const clock = useNow(isLive);
  // A server's clock may be ahead of this one.
  const now = isLive ? Math.max(clock, latest) : latest;
  return useMemo(() => {
    const span = Math.max(200, now - start);
    return { whole: { from: start, to: start + span * 1.02 }, start, now, isLive };
  }, [start, now, isLive]);
}
