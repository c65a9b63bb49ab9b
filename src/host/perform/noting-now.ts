import type { Noted } from '../../core/record/files-fact.ts';
import type { Performance } from '../world.ts';

export interface NotingNow extends Performance {
  /** Resolves when all notes are durable. */
  flush(): Promise<void>;
}

/** The same for a part of an effect that is answered before the whole has ended. */
export function notingNow(performance: Performance, signal: AbortSignal): NotingNow {
  const notes: Noted[] = [];
  return {
    world: performance.world,
    isolate: performance.isolate,
    run: performance.run,
    definition: performance.definition,
    snapshot: performance.snapshot,
    signal,
    isRepeat: performance.isRepeat,
    begin: performance.begin,
    onText: performance.onText,
    sent: performance.sent,
    sharedText: performance.sharedText,
    startBelow: performance.startBelow,
    places: performance.places,
    note: (fact) => void notes.push(fact),
    noteNow: performance.noteNow,
    reserve: performance.reserve,
    unreserve: performance.unreserve,
    noteProject: performance.noteProject,
    askPermission: performance.askPermission,
    flush: async () => {
      for (const fact of notes.splice(0)) await performance.noteNow(fact);
    },
  };
}
