import { contextFor } from '../fold/context.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import type { TaskId } from '../model/ids.ts';
import type { ApartTurn } from '../record/apart-turn.ts';
import type { OpenedContext } from '../record/fact.ts';
import { permitOf } from './turn/permit.ts';

/** What a run begins with that takes a turn of the run above. */
export interface ApartBeginning {
  readonly apart: ApartTurn;
  readonly contexts: readonly OpenedContext[];
}

/** Only the agent's own conversation: it needs no other. Null if the task is no such turn. */
export function apartBeginning(above: Snapshot, id: TaskId): ApartBeginning | null {
  const { work, state } = above.tasks[id] ?? {};
  if (work?.kind !== 'turn' || work.apart !== true || state === undefined) return null;
  const { apart: _here, ...turn } = work;
  const { agent, context } = work;
  const known = above.contexts[context];
  const session = above.sessions[agent];
  const permits = above.permits.filter((permit) => permit.startsWith(permitOf(agent, '')));
  return {
    apart: {
      state,
      visit: above.visits[state] ?? 1,
      work: turn,
      ...(session === undefined ? {} : { session }),
      ...(permits.length === 0 ? {} : { permits }),
    },
    contexts: known === undefined ? [] : [contextFor(context, known, agent)],
  };
}
