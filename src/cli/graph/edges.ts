import type { Transition, WorkState, Workflow } from '../../core/workflow.ts';
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
