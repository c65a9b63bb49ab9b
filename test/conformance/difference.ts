import { isDeepStrictEqual } from 'node:util';
import { runAsWorkflow } from './as-workflow.ts';
import { runInXState } from './as-xstate.ts';
import { Choices } from './choices.ts';
import { OURS, type Interpreter } from './interpreter.ts';
import { randomActions, randomMachine, type Action, type Machine } from './machine.ts';
import type { Trace } from './trace.ts';

/** How many bytes a machine and its script are made of. */
export const BYTES = 320;

export interface Difference {
  readonly machine: Machine;
  readonly actions: readonly Action[];
  readonly xstate: Trace;
  readonly ours: Trace;
}

/** Runs the machine that the bytes stand for in both engines; null when they agree. */
export function differenceOf(bytes: ArrayLike<number>, interpreter: Interpreter = OURS): Difference | null {
  const choices = new Choices(bytes);
  const actions = randomActions(choices);
  const machine = randomMachine(choices);
  const xstate = runInXState(machine, actions);
  const ours = runAsWorkflow(machine, actions, interpreter);
  return isDeepStrictEqual(xstate, ours) ? null : { machine, actions, xstate, ours };
}
