import type { Expression } from '../../core/model/expression.ts';
import type { PoolUnit, State, Transition, WorkState, Workflow } from '../../core/model/workflow.ts';
import type { Drawing, UnitNote } from '../../core/model/drawing.ts';
import { conditionWords } from './condition-words.ts';
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
  const ways = { '': state.transitions, ...state.on };
  return Object.entries(ways).flatMap(([outcome, transitions]) =>
    transitions.map((transition, index) => {
      const words = wayWords(transitions, index) ?? codeOf(transition);
      return {
        from: state.name,
        to: transition.target,
        label: [outcome, words].filter((part) => part !== '').join(': '),
      };
    }),
  );
}

/** On a way that is taken where no condition before it holds. */
export const OTHERWISE = 'otherwise';

/** What stands on a way out: the author's label, else the condition in words; null where only its code says it. */
export function wayWords(transitions: readonly Transition[], index: number): string | null {
  const way = transitions[index];
  if (way?.label !== undefined) return way.label;
  const condition = conditionOf(way);
  if (condition !== null) return conditionWords(condition);
  return transitions.slice(0, index).some((before) => conditionOf(before) !== null) ? OTHERWISE : '';
}

/** Authors write `true` as well as nothing. */
function conditionOf(way: Transition | undefined): Expression | null {
  const when = way?.when ?? null;
  return when?.kind === 'literal' && when.value === true ? null : when;
}

const codeOf = ({ when }: Transition): string => (when === null ? '' : expressionText(when));

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
