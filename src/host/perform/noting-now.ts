import type { Noted } from '../../core/record/files-fact.ts';
import type { EffectContext } from '../world.ts';

export interface NotingNow extends EffectContext {
  /** Resolves when all notes are durable. */
  flush(): Promise<void>;
}

/** The same for a part of an effect that is answered before the whole has ended. */
export function notingNow(context: EffectContext, signal: AbortSignal): NotingNow {
  const notes: Noted[] = [];
  return {
    world: context.world,
    isolate: () => context.isolate(),
    run: context.run,
    definition: context.definition,
    snapshot: context.snapshot,
    signal,
    isRepeat: context.isRepeat,
    begin: (what) => context.begin(what),
    onText: (delta) => context.onText(delta),
    sent: context.sent,
    sharedText: () => context.sharedText(),
    startBelow: (order) => context.startBelow(order),
    places: context.places,
    note: (fact) => void notes.push(fact),
    noteNow: (fact) => context.noteNow(fact),
    reserve: (workspace) => context.reserve(workspace),
    unreserve: (workspace) => context.unreserve(workspace),
    noteProject: (fact) => context.noteProject(fact),
    askPermission: (call) => context.askPermission(call),
    flush: async () => {
      for (const fact of notes.splice(0)) await context.noteNow(fact);
    },
  };
}
