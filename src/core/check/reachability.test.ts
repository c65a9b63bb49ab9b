import { expect, test } from 'vitest';
import { edgesOfStates, openTransitions, reachableStates, statesThatCanEnd } from './reachability.ts';
import { DEFAULT_LIMITS, type State, type Transition, type Workflow } from '../model/workflow.ts';

const to = (target: string, when: Transition['when'] = null): Transition => ({ target, when, assign: null });
const sometimes: Transition['when'] = { kind: 'name', name: 'x' };

const state = (
  name: string,
  transitions: readonly Transition[],
  on: { failed?: readonly Transition[] } = {},
): State => ({
  kind: 'work',
  name,
  enter: null,
  work: { kind: 'none' },
  transitions,
  on,
  timeoutMs: null,
  retry: null,
});
const end: State = { kind: 'end', name: 'end', outcome: 'ok', output: null };

const workflow = (...states: readonly State[]): Workflow => ({
  name: 'w',
  description: '',
  family: 'test',
  inputs: [],
  output: null,
  data: {},
  contexts: [],
  agents: [],
  start: 'start',
  states: Object.fromEntries(states.map((one) => [one.name, one])),
  limits: DEFAULT_LIMITS,
});

test('[U6] transitions after one that always holds, and those that never hold, are no ways', () => {
  const never: Transition['when'] = { kind: 'literal', value: false };
  const always: Transition['when'] = { kind: 'literal', value: true };
  expect(openTransitions([to('a', sometimes), to('b', never), to('c', always), to('d')])).toEqual([0, 2]);
  expect(openTransitions([])).toEqual([]);
});

test('[U6] handlers of outcomes are ways too', () => {
  const edges = edgesOfStates(state('start', [to('end')], { failed: [to('fix')] }));
  expect(edges.map((edge) => `${edge.outcome} ${edge.to}`)).toEqual(['ok end', 'failed fix']);
  expect(edgesOfStates(end)).toEqual([]);
});

test('[U6] what can be reached, and what can still end, are found through loops', () => {
  const graph = workflow(
    state('start', [to('a', sometimes), to('trap')]),
    state('a', [to('start', sometimes), to('end')]),
    state('trap', [to('trap2')]),
    state('trap2', [to('trap')]),
    state('island', [to('end')]),
    end,
  );
  expect([...reachableStates(graph)].sort()).toEqual(['a', 'end', 'start', 'trap', 'trap2']);
  expect([...statesThatCanEnd(graph)].sort()).toEqual(['a', 'end', 'island', 'start']);
});

test('[U6] a chain of twenty thousand states is walked without a deep stack', () => {
  const count = 20_000;
  const states = Array.from({ length: count }, (_, index) =>
    state(index === 0 ? 'start' : `s${index}`, [to(index === count - 1 ? 'end' : `s${index + 1}`)]),
  );
  const graph = workflow(...states, end);
  expect(reachableStates(graph).size).toBe(count + 1);
  expect(statesThatCanEnd(graph).size).toBe(count + 1);
});
