import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { PoolUnit, State, Transition, WorkState, Workflow } from '../../../core/model/workflow.ts';
import type { UnitNote } from '../../../core/model/drawing.ts';
import { fixedUnits } from '../../../protocol/graph/edges.ts';
import { expressionText, programText } from '../../../protocol/graph/expression-text.ts';
import { workText } from '../../../protocol/graph/work-text.ts';

/** A configuration that XState 5's `createMachine` takes, so that its tools can read our workflows. */
export function xstate(workflow: Workflow, notes: Notes = {}): JsonObject {
  const id = (name: string): string => `${workflow.name}/${name}`;
  return {
    id: workflow.name,
    initial: workflow.start,
    context: workflow.data,
    ...(workflow.description === '' ? {} : { description: workflow.description }),
    states: Object.fromEntries(
      Object.values(workflow.states).map((state) => [
        state.name,
        {
          id: id(state.name),
          ...stateConfig(state, workflow, id),
          ...regions(state, notes),
        },
      ]),
    ),
  };
}

type IdOf = (name: string) => string;

function stateConfig(state: State, { agents }: Workflow, id: IdOf): JsonObject {
  if (state.kind === 'end') return { type: 'final', meta: { outcome: state.outcome } };
  const onDone = state.transitions.map((transition) => transitionConfig(transition, id));
  const entry = state.enter === null ? {} : { entry: [action(programText(state.enter))] };
  if (state.work.kind === 'none') return { ...entry, always: onDone };
  return {
    ...entry,
    invoke: { src: state.work.kind, input: { what: workText(state.work, agents) }, onDone, ...errors(state, id) },
  };
}

type Notes = Readonly<Record<string, UnitNote>>;

/** The units of a pool are regions side by side; each begins when those it waits for are done. */
function regions(state: State, notes: Notes): JsonObject {
  const units = fixedUnits(state);
  if (units.length === 0) return {};
  return {
    type: 'parallel',
    states: Object.fromEntries(units.map((unit) => [unit.id, region(unit, notes[unit.id])])),
  };
}

const PLAIN: UnitNote = { what: '', when: null, again: [], rounds: null };

function region({ id, after, work }: PoolUnit, { what, when, again, rounds }: UnitNote = PLAIN): JsonObject {
  const guard = (type: string, params: JsonObject): JsonObject => ({ type, params });
  const skip = when === null ? [] : [{ target: 'done', guard: guard('condition does not hold', { source: when }) }];
  const start = {
    target: 'working',
    ...(after.length === 0 ? {} : { guard: guard('all are done', { units: [...after] }) }),
  };
  const round = { target: 'working', guard: guard('condition holds', { source: when, rounds, again: [...again] }) };
  return {
    initial: 'waiting',
    states: {
      waiting: { always: [...skip, start] },
      working: {
        invoke: {
          src: work.kind,
          input: { what: what === '' ? (work.kind === 'choice' ? id : workText(work)) : what },
          onDone: [...(again.length === 0 ? [] : [{ ...round, reenter: true }]), { target: 'done' }],
        },
      },
      done: { type: 'final' },
    },
  };
}

function errors(state: WorkState, id: IdOf): JsonObject {
  const onError = Object.entries(state.on).flatMap(([outcome, transitions]) =>
    transitions.map((transition) => ({ ...transitionConfig(transition, id), description: outcome })),
  );
  return onError.length === 0 ? {} : { onError };
}

function transitionConfig(transition: Transition, id: IdOf): { readonly [key: string]: Json } {
  return {
    // A dot in a target means a way down, unless it is escaped.
    target: `#${id(transition.target).replaceAll('.', '\\.')}`,
    ...(transition.when === null
      ? {}
      : { guard: { type: 'condition', params: { source: expressionText(transition.when) } } }),
    ...(transition.assign === null ? {} : { actions: [action(programText(transition.assign))] }),
  };
}

const action = (source: string): JsonObject => ({ type: 'script', params: { source } });
