import type { Noted } from '../../core/files-fact.ts';
import type { Performance } from './performance.ts';

export interface NotingNow extends Performance {
  /** Resolves when all that was noted is durable. */
  flush(): Promise<void>;
}

/** The same for a part of an effect that somebody hears of before the whole is over. */
export function notingNow(performance: Performance, signal: AbortSignal): NotingNow {
  const { world, isolate, run, definition, snapshot, isRepeat, begin, onText, startBelow, places } = performance;
  const { noteNow, askPermission } = performance;
  const notes: Noted[] = [];
  return {
    ...{ world, isolate, run, definition, snapshot, isRepeat, begin, onText, startBelow, places },
    ...{ noteNow, askPermission, signal },
    get isStopped() {
      return performance.isStopped;
    },
    note: (fact) => void notes.push(fact),
    flush: async () => {
      for (const fact of notes.splice(0)) await noteNow(fact);
    },
  };
}
