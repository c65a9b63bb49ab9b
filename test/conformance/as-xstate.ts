import {
  assign,
  createActor,
  createMachine,
  SimulatedClock,
  type ActorLogic,
  type AnyActorRef,
  type EventObject,
  type Snapshot,
} from 'xstate';
import { unreachable } from '../../src/core/model/fault.ts';
import type { Action, Change, Data, Edge, Guard, Machine, MachineState } from './machine.ts';
import type { Trace, TraceEnd } from './trace.ts';

/**
 * The machine as XState runs it. What we do differently on purpose is said here in XState's own means, and listed with
 * the reasons in docs/spec/xstate-differences.md:
 * - [X1] no transition matched: a last transition to a final state `stuck`;
 * - [X2] a state entered too often: in front of each transition one to a final state `paused`, taken when the target was
 *   entered as often as allowed;
 * - [X3] a transition to the state it leaves enters it again: `reenter`;
 * - [X4] a timeout without a handler: an `after` to a final state `late`;
 * - [X5] a state without work has no result to look at: the guards of its `always` are not shown the event before.
 */
export function runInXState(machine: Machine, actions: readonly Action[]): Trace {
  const seen: Seen = { path: [], data: machine.data };
  const clock = new SimulatedClock();
  const actor = createActor(createMachine(configOf(machine, seen) as never), { clock });
  // Without somebody who listens, XState throws a machine's error out of a timer.
  actor.subscribe({ error: () => {} });
  actor.start();
  const steps = [seen.path.length];
  for (const action of actions) {
    act(actor, clock, action);
    steps.push(seen.path.length);
  }
  const end = endOf(actor.getSnapshot());
  actor.stop();
  return { path: seen.path, steps, data: seen.data, end };
}

/** What happened last, also in a step that threw in the end, and of which XState therefore keeps nothing. */
interface Seen {
  readonly path: string[];
  data: Data;
}

interface MachineContext {
  readonly data: Data;
  readonly visits: Readonly<Record<string, number>>;
}

interface Given {
  readonly context: MachineContext;
  readonly event: { readonly output?: number; readonly error?: { readonly code: string } };
}

function act(actor: AnyActorRef, clock: SimulatedClock, action: Action): void {
  const children: Readonly<Record<string, AnyActorRef>> = actor.getSnapshot().children;
  // A settled actor reports nothing more; XState would only warn about a second event.
  const isOver = actor.getSnapshot().status !== 'active';
  const child = isOver ? undefined : Object.values(children).find((one) => one.getSnapshot().status === 'active');
  switch (action.kind) {
    case 'tick':
      return clock.increment(action.ms);
    case 'done':
      return child?.send({ type: 'resolve', output: action.value });
    case 'error':
      return child?.send({ type: 'reject', error: { code: action.code } });
    case 'echo':
      // XState knows by itself that a stopped actor or a cleared alarm has nothing more to say.
      return;
    default:
      unreachable(action);
  }
}

function endOf(snapshot: { readonly status: string; readonly value: unknown }): TraceEnd {
  if (snapshot.status === 'error') return 'error';
  if (snapshot.status !== 'done') return 'running';
  const value = String(snapshot.value);
  return value === 'stuck' || value === 'paused' || value === 'late' ? value : 'done';
}

function configOf(machine: Machine, seen: Seen): object {
  const states = machine.states.map((state) => [state.name, stateOf(state, { machine, seen })] as const);
  const outcomes = ['stuck', 'paused', 'late'].map((name) => [name, { type: 'final' }] as const);
  const context: MachineContext = { data: machine.data, visits: {} };
  return { context, initial: machine.states[0]?.name, states: Object.fromEntries([...states, ...outcomes]) };
}

interface Place {
  readonly machine: Machine;
  readonly seen: Seen;
  readonly isBlind?: boolean;
}

function stateOf(state: MachineState, place: Place): object {
  const entry = change((context) => {
    place.seen.path.push(state.name);
    const visits = { ...context.visits, [state.name]: (context.visits[state.name] ?? 0) + 1 };
    return { data: changed(context.data, state.entry, place.seen), visits };
  });
  const edges = transitionsOf(state.edges, { ...place, isBlind: state.kind === 'route' });
  const after = { [String(state.ms)]: state.kind === 'wait' ? edges : lateOf(state, place) };
  switch (state.kind) {
    case 'final':
      return { type: 'final', entry };
    case 'route':
      return { entry, always: edges };
    case 'wait':
      return { entry, after };
    case 'work': {
      const onError = state.failed === null ? {} : { onError: transitionsOf(state.failed, place) };
      const invoke = { id: state.name, src: SETTLEABLE, onDone: edges, ...onError };
      return { entry, invoke, ...(state.ms === null ? {} : { after }) };
    }
    default:
      return unreachable(state.kind);
  }
}

const change = (next: (context: MachineContext) => Partial<MachineContext>) =>
  assign<MachineContext, EventObject, undefined, EventObject, never>(({ context }) => next(context));

const lateOf = (state: MachineState, place: Place): object[] =>
  state.late === null ? [{ target: 'late' }] : transitionsOf(state.late, place);

function transitionsOf(edges: readonly Edge[], { machine, seen, isBlind = false }: Place): object[] {
  const transitions = edges.flatMap((edge) => {
    const holds = ({ context, event }: Given) => judge(edge.guard, { context, event: isBlind ? {} : event });
    const isSpent = ({ context }: Given) => (context.visits[edge.target] ?? 0) >= machine.iterations;
    return [
      {
        guard: (given: Given) => holds(given) && isSpent(given),
        target: 'paused',
        // The script is run before the limit is looked at, so it may throw; what it changes does not count.
        actions: change((context) => {
          changed(context.data, edge.changes, null);
          return {};
        }),
      },
      {
        guard: holds,
        target: edge.target,
        reenter: true,
        actions: change((context) => ({ data: changed(context.data, edge.changes, seen) })),
      },
    ];
  });
  return [...transitions, { target: 'stuck' }];
}

function judge(guard: Guard, { context, event }: Given): boolean {
  switch (guard.kind) {
    case 'always':
      return true;
    case 'throws':
      throw new Error('a guard threw');
    case 'result':
      return event.output === guard.value;
    case 'code':
      return event.error?.code === guard.value;
    case 'data': {
      const value = context.data[guard.name];
      if (guard.operator === '<') return value < guard.value;
      return guard.operator === '===' ? value === guard.value : value >= guard.value;
    }
    default:
      return unreachable(guard);
  }
}

function changed(data: Data, changes: readonly Change[], seen: Seen | null): Data {
  const next = { ...data };
  for (const { name, from, plus } of changes) {
    if (from === 'throws') throw new Error('an assignment threw');
    next[name] = (next[from] + plus) % 5;
  }
  if (seen !== null) seen.data = next;
  return next;
}

type Settled = Snapshot<number> & { readonly input: unknown };

/** An actor that does nothing until it gets its result: a promise without the waiting. */
const SETTLEABLE: ActorLogic<Settled, EventObject> = {
  getInitialSnapshot: () => ({ status: 'active', output: undefined, error: undefined, input: undefined }),
  getPersistedSnapshot: (snapshot) => snapshot,
  transition: (snapshot, event: EventObject & { readonly output?: number; readonly error?: unknown }) => {
    if (event.type === 'resolve')
      return { ...snapshot, status: 'done', output: event.output, error: undefined } as Settled;
    if (event.type === 'reject') return { ...snapshot, status: 'error', output: undefined, error: event.error };
    return snapshot;
  },
};
