import type { Json, JsonObject } from '../../core/json.ts';
import type { State, Transition, WorkState, Workflow } from '../../core/workflow.ts';
import { expressionText, programText } from './expression-text.ts';
import { workText } from './work-text.ts';

/** A configuration that XState 5's `createMachine` takes, so that its tools can read our workflows. */
export function xstate(workflow: Workflow): JsonObject {
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
