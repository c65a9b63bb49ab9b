import type { PoolUnit, State, Transition, WorkState, Workflow } from '../../core/model/workflow.ts';
import type { Drawing, UnitNote } from '../../core/model/drawing.ts';
import { expressionText } from './expression-text.ts';

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** The condition, or the outcome that leads here; empty for an edge that is always taken. */
  readonly label: string;
}

export function edgesOf(workflow: Workflow): readonly Edge[] {
  return Object.values(workflow.states).flatMap((state) => (state.kind === 'end' ? [] : stateEdges(state)));
}

function stateEdges(state: WorkState): readonly Edge[] {
  const handled = Object.entries(state.on).flatMap(([outcome, transitions]) =>
    transitions.map((transition) => edge(state, transition, outcome)),
  );
  return [...state.transitions.map((transition) => edge(state, transition, '')), ...handled];
}

function edge(state: WorkState, transition: Transition, outcome: string): Edge {
  const condition = transition.when === null ? '' : expressionText(transition.when);
  const label = [outcome, condition].filter((part) => part !== '').join(': ');
  return { from: state.name, to: transition.target, label };
}

/** Edges between units of a pool: dependencies and repetitions. */
export function unitEdges(
  units: readonly Pick<PoolUnit, 'id' | 'after'>[],
  notes: Readonly<Record<string, UnitNote>>,
): readonly Edge[] {
  return units.flatMap(({ id, after }) => {
    const { when = null, again = [], rounds = null } = notes[id] ?? {};
    const waits = after.map((from) => ({ from, to: id, label: when === null ? '' : `if ${when}` }));
    const most = rounds === null ? '' : `, at most ${rounds} round${rounds === 1 ? '' : 's'}`;
    return [...waits, ...again.map((to) => ({ from: id, to, label: `again${most}` }))];
  });
}

/** The units of a state that are known before it runs. */
export function fixedUnits(state: State): readonly PoolUnit[] {
  if (state.kind === 'end' || state.work.kind !== 'pool' || state.work.units.kind !== 'fixed') return [];
  return state.work.units.list;
}

/** All edges of a drawing as data: from stage to stage, or from phase to phase. */
export function linksOf({ workflow, units }: Drawing): Pick<Drawing, 'units'> & { readonly links: readonly Edge[] } {
  const inside = Object.values(workflow.states).flatMap((state) => unitEdges(fixedUnits(state), units));
  return { links: inside.length === 0 ? edgesOf(workflow) : inside, units };
}
