import { listOf, toArray } from '../model/append-list.ts';
import type { LeftTurn } from '../record/apart-turn.ts';
import { startTurn } from '../step/turn/turn-progress.ts';
import type { Draft } from './draft.ts';
import type { Task } from './snapshot.ts';
import type { TurnProgress } from './turn-state.ts';

/** How a turn that a run below took comes back to the run that ordered it. */

/** In the run below: the turn as it ended, or was stopped. */
export function noteLeft(now: Draft, { turn }: Task): void {
  if (now.apart === null || turn === null) return;
  const session = now.sessions[now.apart.work.agent];
  const isUsed = session !== undefined && (turn.session === undefined || turn.session === session.id);
  now.apart = { ...now.apart, left: leftOf(turn, { ...(isUsed ? { session } : {}), permits: now.permits }) };
}

function leftOf(turn: TurnProgress, { session, permits = [] }: Pick<LeftTurn, 'session' | 'permits'>): LeftTurn {
  const { messages, accepted, sees, seesOfView, base, compactions, returned, told } = turn;
  const isCompacted = base !== undefined && compactions !== undefined;
  return {
    messages: toArray(messages),
    accepted,
    sees,
    ...(seesOfView === undefined ? {} : { seesOfView }),
    ...(isCompacted ? { base: toArray(base) } : {}),
    ...(returned === undefined ? {} : { returned }),
    ...(told === undefined ? {} : { told }),
    ...(session === undefined ? {} : { session }),
    ...(permits.length === 0 ? {} : { permits }),
  };
}

/** In the run above: its task as if it had made the turn itself. */
export function withLeft(task: Task, left: LeftTurn | undefined): Task {
  if (left === undefined || task.work.kind !== 'turn') return task;
  const { messages, accepted, sees, seesOfView, base, returned, told, session } = left;
  const turn: TurnProgress = {
    ...startTurn(task.work, undefined),
    phase: 'ready',
    messages: listOf(messages),
    accepted,
    sees,
    ...(seesOfView === undefined ? {} : { seesOfView }),
    ...(base === undefined ? {} : { base: listOf(base), compactions: 1 }),
    ...(returned === undefined ? {} : { returned }),
    ...(told === undefined ? {} : { told }),
    ...(session === undefined ? {} : { session: session.id }),
  };
  return { ...task, turn };
}

/** The agent goes on in the conversation that its client had there. */
export function takeLeft(now: Draft, { id, work }: Task, left: LeftTurn | undefined): void {
  if (left === undefined || work.kind !== 'turn') return;
  const { [work.agent]: _before, ...others } = now.sessions;
  const { session, permits = [] } = left;
  now.sessions = session === undefined ? others : { ...others, [work.agent]: { ...session, lastTask: id } };
  now.permits = [...new Set([...now.permits, ...permits])];
}
