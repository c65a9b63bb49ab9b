import { expect, test } from 'vitest';
import { runAsWorkflow } from './as-workflow.ts';
import { runInXState } from './as-xstate.ts';
import { Choices } from './choices.ts';
import { BYTES, differenceOf } from './difference.ts';
import { fuzz } from './fuzz.ts';
import { OURS } from './interpreter.ts';
import { randomActions, randomMachine, type Machine, type MachineState } from './machine.ts';
import type { TraceEnd } from './trace.ts';

/** Twice as many as `test/mutants` needs to notice every defect it plants. `npm run prove` plays more. */
const MACHINES = 1000;

test(`[L9] ${MACHINES} random machines go the same way, to the same end, with the same data as in XState`, () => {
  let compared = 0;
  fuzz(MACHINES, {
    bytes: BYTES,
    check: (bytes) => {
      compared += 1;
      const difference = differenceOf(bytes);
      if (difference !== null) throw new Error(`The engines differ: ${JSON.stringify(difference, null, 1)}`);
    },
  });
  expect(compared).toBeGreaterThanOrEqual(Number(process.env['TROUPE_FUZZ_RUNS'] ?? MACHINES));
}, 600_000);

test('[L9] the random machines come to every kind of end, and most of them have moved', () => {
  const ends = new Map<TraceEnd, number>();
  let moved = 0;
  fuzz(600, {
    bytes: BYTES,
    check: (bytes) => {
      const choices = new Choices(bytes);
      const actions = randomActions(choices);
      const trace = runAsWorkflow(randomMachine(choices), actions, OURS);
      ends.set(trace.end, (ends.get(trace.end) ?? 0) + 1);
      if (trace.path.length > 2) moved += 1;
    },
  });
  const kinds = ['done', 'error', 'late', 'paused', 'running', 'stuck'] as const;
  for (const end of kinds) expect([end, (ends.get(end) ?? 0) > 10]).toEqual([end, true]);
  expect(moved).toBeGreaterThan(200);
});

const state = (name: string, parts: Partial<MachineState>): MachineState => ({
  name,
  kind: 'route',
  entry: [],
  edges: [],
  failed: null,
  late: null,
  ms: null,
  work: 'command',
  ...parts,
});

const edge = (target: string) => ({ target, guard: { kind: 'always' }, changes: [] }) as const;

const machine = (...states: readonly MachineState[]): Machine => ({
  data: { a: 0, b: 0 },
  states: [...states, state('end', { kind: 'final' })],
  iterations: 3,
});

/** Each difference of docs/spec/xstate-differences.md, by hand: how we end it, and that the mapping says the same. */
const DIFFERENCES: readonly (readonly [string, Machine, readonly string[], TraceEnd])[] = [
  ['X1', machine(state('s0', {})), ['s0'], 'stuck'],
  ['X2', machine(state('s0', { edges: [edge('s0')] })), ['s0', 's0', 's0'], 'paused'],
  ['X3', machine(state('s0', { kind: 'work', edges: [edge('s0')] })), ['s0', 's0'], 'running'],
  ['X4', machine(state('s0', { kind: 'work', ms: 10, edges: [edge('end')] })), ['s0'], 'late'],
  [
    'X5',
    machine(
      state('s0', { kind: 'work', edges: [edge('s1')] }),
      state('s1', { edges: [{ ...edge('s0'), guard: { kind: 'result', value: 1 } }, edge('end')] }),
    ),
    ['s0', 's1', 'end'],
    'done',
  ],
];

for (const [number, given, path, end] of DIFFERENCES) {
  test(`[${number}] the difference is what the list says, and mapped`, () => {
    const actions = number === 'X4' ? [{ kind: 'tick', ms: 10 } as const] : [{ kind: 'done', value: 1 } as const];
    const ours = runAsWorkflow(given, actions, OURS);
    expect(ours).toMatchObject({ path, end });
    expect(runInXState(given, actions)).toEqual(ours);
  });
}
