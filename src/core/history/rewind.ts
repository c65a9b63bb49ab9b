import type { RewoundState, RewoundTask } from '../record/rewound-fact.ts';
import { listOf, toArray, type AppendList } from '../model/append-list.ts';
import { mapValues } from '../model/map-values.ts';
import type { Context, Snapshot, Task } from '../fold/snapshot.ts';
import type { TurnProgress } from '../fold/turn-state.ts';
import { pausedSince } from '../step/paused.ts';

/**
 * That part of a snapshot as it will be at a later time, with every list cut to what this snapshot sees of it, because lists
 * are shared with later ones. Work in progress has as much time left as it had then.
 */
export function rewoundState(then: Snapshot, at: number): RewoundState {
  const shift = at - (pausedSince(then) ?? then.at);
  return {
    status: then.status,
    input: then.input,
    data: then.data,
    current: then.current,
    last: then.last,
    visits: then.visits,
    path: own(then.path),
    contexts: mapValues(then.contexts, ownContext),
    agents: then.agents,
    lastAgent: then.lastAgent,
    sessions: then.sessions,
    childResult: then.childResult,
    tasks: mapValues(then.tasks, (task) => ownTask(task, shift)),
    slot: then.slot,
    slotless: then.slotless,
    stopping: then.stopping,
    permits: then.permits,
    expected: then.expected,
    result: then.result,
    failures: own(then.failures),
  };
}

const own = <T>(list: AppendList<T>): AppendList<T> => listOf(toArray(list));

const ownContext = (context: Context): Context => ({
  ...context,
  messages: own(context.messages),
  ...(context.views === undefined ? {} : { views: mapValues(context.views, own) }),
});

function ownTask({ deadline, turn, units, ...task }: Task, shift: number): RewoundTask {
  return {
    ...task,
    units: units?.flat() ?? null,
    deadline: deadline === null ? null : deadline + shift,
    turn: turn === null ? null : ownTurn(turn),
  };
}

const ownTurn = (turn: TurnProgress): TurnProgress => ({
  ...turn,
  messages: own(turn.messages),
  ...(turn.base === undefined ? {} : { base: own(turn.base) }),
});
