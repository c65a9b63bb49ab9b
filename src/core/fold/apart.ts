import { listOf, toArray } from '../model/append-list.ts';
import type { AgentSession } from '../record/agent-fact.ts';
import type { LeftTurn } from '../record/left-turn.ts';
import type { CallAnswered } from '../record/call-fact.ts';
import { remarksLeft, startTurn, tellTurn } from '../step/turn/turn-progress.ts';
import type { Draft } from './draft.ts';
import type { Task } from './snapshot.ts';
import type { TurnProgress } from './turn-state.ts';

/** How a turn that a run below took comes back to the run that ordered it. */

/** A task ends. In the run above its agent goes on in the conversation that its client had in the run below. */
export function takeLeft(now: Draft, open: Task, left: LeftTurn | undefined): Task {
  const task = withLeft(open, left);
  noteLeft(now, task);
  const { id, work } = task;
  if (left === undefined || work.kind !== 'turn') return task;
  const { [work.agent]: _before, ...others } = now.sessions;
  const { session, isInSession, permits = [] } = left;
  const kept = session !== undefined && isInSession === true ? { ...session, lastTask: id } : session;
  now.sessions = kept === undefined ? others : { ...others, [work.agent]: kept };
  now.permits = [...new Set([...now.permits, ...permits])];
  return task;
}

/** In the run below: the turn as it ended, or was stopped. */
function noteLeft(now: Draft, { turn }: Task): void {
  if (now.apart === null || turn === null) return;
  const { models } = now.apart;
  const session = sessionLeft(turn, now.sessions[now.apart.work.agent]);
  now.apart = { ...now.apart, left: leftOf(turn, { models, ...session, permits: now.permits }) };
}

/** A session that the turn did not use stays as it was. */
function sessionLeft(turn: TurnProgress, session: AgentSession | undefined): Pick<LeftTurn, 'session' | 'isInSession'> {
  if (session === undefined) return {};
  if (turn.session === undefined) return { session };
  return turn.session === session.id ? { session, isInSession: true } : {};
}

export function noteModel(now: Draft, { model }: CallAnswered): void {
  if (now.apart === null || now.apart.models.includes(model)) return;
  now.apart = { ...now.apart, models: [...now.apart.models, model] };
}

type LeftOutside = Pick<LeftTurn, 'models' | 'session' | 'isInSession' | 'permits'>;

function leftOf(turn: TurnProgress, { permits = [], ...outside }: LeftOutside): LeftTurn {
  const { messages, accepted, sees, seesOfView, base, compactions, returned } = turn;
  const remarks = remarksLeft(turn, true);
  const isCompacted = base !== undefined && compactions !== undefined;
  return {
    messages: toArray(messages),
    accepted,
    sees,
    ...outside,
    ...(seesOfView === undefined ? {} : { seesOfView }),
    ...(isCompacted ? { base: toArray(base) } : {}),
    ...(returned === undefined ? {} : { returned }),
    ...(remarks.length === 0 ? {} : { remarks }),
    ...(permits.length === 0 ? {} : { permits }),
  };
}

/** In the run above: its task as if it had made the turn itself. */
export function withLeft(task: Task, left: LeftTurn | undefined): Task {
  if (left === undefined || task.work.kind !== 'turn') return task;
  const { messages, accepted, sees, seesOfView, base, returned, remarks = [], session, isInSession } = left;
  const turn: TurnProgress = {
    ...startTurn(task.work, undefined),
    phase: 'ready',
    messages: listOf(messages),
    accepted,
    sees,
    ...(seesOfView === undefined ? {} : { seesOfView }),
    ...(base === undefined ? {} : { base: listOf(base), compactions: 1 }),
    ...(returned === undefined ? {} : { returned }),
    ...(isInSession === true && session !== undefined ? { session: session.id } : {}),
  };
  return { ...task, turn: remarks.reduce(tellTurn, turn) };
}
