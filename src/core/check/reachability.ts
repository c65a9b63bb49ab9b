import type { Outcome } from '../model/outcome.ts';
import type { State, Transition, Workflow } from '../model/workflow.ts';

/**
 * The workflow as a graph. Nothing is evaluated here and no walk recurses, so files of any size are fine.
 */
export interface StateEdge {
  readonly from: string;
  readonly to: string;
  /** The outcome of the work for which this edge can be taken. */
  readonly outcome: Outcome;
  readonly index: number;
  readonly transition: Transition;
}

/** The ways out of a state that can be taken. */
export function edgesOfStates(state: State): readonly StateEdge[] {
  if (state.kind === 'end') return [];
  return transitionLists(state).flatMap(([outcome, transitions]) =>
    openTransitions(transitions).flatMap((index) => {
      const transition = transitions[index];
      return transition === undefined ? [] : [{ from: state.name, to: transition.target, outcome, index, transition }];
    }),
  );
}

/** A state's transitions by the outcome of its work. */
export function transitionLists(state: State): readonly (readonly [Outcome, readonly Transition[]])[] {
  if (state.kind === 'end') return [];
  const handlers = Object.entries(state.on) as readonly (readonly [Outcome, readonly Transition[]])[];
  return [['ok', state.transitions], ...handlers];
}

/** Indexes of the transitions that some run could take: they are tried in order, so none counts after one that always holds. */
export function openTransitions(transitions: readonly Transition[]): readonly number[] {
  const open: number[] = [];
  for (const [index, { when }] of transitions.entries()) {
    const fixed = when === null ? true : when.kind === 'literal' ? Boolean(when.value) : undefined;
    if (fixed !== false) open.push(index);
    if (fixed === true) break;
  }
  return open;
}

/** All states a run can come to, the first one included. */
export function reachableStates(workflow: Workflow): ReadonlySet<string> {
  return walk([workflow.start], targets(workflow));
}

/** All states that a run can reach once the work of this one has succeeded. */
export function statesAfterOk(workflow: Workflow, state: State): ReadonlySet<string> {
  const ways = edgesOfStates(state).filter(({ outcome }) => outcome === 'ok');
  return walk(
    ways.map((edge) => edge.to),
    targets(workflow),
  );
}

/** All states from which some way leads to an end. */
export function statesThatCanEnd(workflow: Workflow): ReadonlySet<string> {
  const ends = Object.values(workflow.states).filter((state) => state.kind === 'end');
  return walk(
    ends.map((state) => state.name),
    reversed(targets(workflow)),
  );
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function targets(workflow: Workflow): Graph {
  return new Map(
    Object.entries(workflow.states).map(([name, state]) => [
      name,
      new Set(edgesOfStates(state).map((edge) => edge.to)),
    ]),
  );
}

function reversed(graph: Graph): Graph {
  const result = new Map<string, Set<string>>();
  for (const [from, tos] of graph) {
    for (const to of tos) {
      const sources = result.get(to);
      if (sources === undefined) result.set(to, new Set([from]));
      else sources.add(from);
    }
  }
  return result;
}

/** Everything reached from the seeds. Names that are not a state are left out of a graph and end the walk. */
function walk(seeds: readonly string[], graph: Graph): Set<string> {
  const seen = new Set<string>();
  const stack = [...seeds];
  for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    stack.push(...(graph.get(name) ?? []));
  }
  return seen;
}
