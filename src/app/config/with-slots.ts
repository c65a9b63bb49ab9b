import { Fault } from '../../core/fault.ts';
import type { Definition } from '../../core/role.ts';
import type { State, Workflow } from '../../core/workflow.ts';

/** The definition with as many slots as the user wants, wherever a list is worked off. What a file names one by one keeps its own. */
export function withSlots(definition: Definition, slots: number | undefined): Definition {
  if (slots === undefined) return definition;
  const states = [definition.workflow, ...Object.values(definition.library)].flatMap((one) =>
    Object.values(one.states),
  );
  if (!states.some(worksOffList)) {
    throw new Fault('USAGE', `--slots has no effect: "${definition.workflow.name}" works off no list.`, {
      hint: 'It says how many at a time of a pool with "items", such as the steps of a quest. Leave it out here.',
    });
  }
  const library = Object.entries(definition.library).map(([name, workflow]) => [name, changed(workflow, slots)]);
  return {
    ...definition,
    workflow: changed(definition.workflow, slots),
    library: Object.fromEntries(library) as Definition['library'],
  };
}

function changed(workflow: Workflow, slots: number): Workflow {
  const states = Object.entries(workflow.states).map(([name, state]): [string, State] => [name, inState(state, slots)]);
  return { ...workflow, states: Object.fromEntries(states) };
}

const worksOffList = (state: State): boolean =>
  state.kind === 'work' && state.work.kind === 'pool' && state.work.units.kind === 'items';

function inState(state: State, slots: number): State {
  if (state.kind !== 'work' || state.work.kind !== 'pool' || !worksOffList(state)) return state;
  return { ...state, work: { ...state.work, slots } };
}
