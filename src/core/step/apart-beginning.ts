import { contextFor } from '../fold/context.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import type { TaskId } from '../model/ids.ts';
import type { ApartTurn } from '../record/apart-turn.ts';
import type { OpenedContext } from '../record/fact.ts';
import type { TurnWork } from '../model/workflow.ts';
import type { StepProgress } from './progress.ts';
import { permitOf } from './turn/permit.ts';

/** Whether a run below takes the turn: where another worker could be the one to drive it. */
export function isApart({ snapshot, workflow: { agents } }: StepProgress, { apart, agent: name }: TurnWork): boolean {
  if (apart !== true || !snapshot.isOnWorkers) return false;
  const agent = agents.find((one) => one.name === name);
  return agent?.workspace === 'own' && agents.every((one) => one.name === name || one.context !== agent.context);
}

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
