import type { Expression, Program } from '../../core/expression.ts';
import type { Position } from '../../core/fault.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { EndState, Transition, Work, WorkState } from '../../core/workflow.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { parseProgram } from '../expression/parse-program.ts';
import type { Parsed } from '../expression/parsed.ts';

/** Pieces of the workflow model, for formats whose states are made by the engine and not by an author. */

const RESULT_NAMES = ['result', 'outcome', 'failure', 'units'];

/** Code of our own: what cannot be read is a defect. */
export const code = (source: string): Expression => sound(parseExpression(source, { names: RESULT_NAMES }), source);

export const script = (source: string): Program => sound(parseProgram(source, { names: RESULT_NAMES }), source);

function sound<T>(parsed: Parsed<T>, source: string): T {
  if (parsed.ok) return parsed.value;
  throw new Error(`The engine's own code cannot be read: ${parsed.message}\n${source}`);
}

export const to = (target: string, when: string | null = null, assign: string | null = null): Transition => ({
  target,
  when: when === null ? null : code(when),
  assign: assign === null ? null : script(assign),
});

export interface StateParts {
  readonly enter?: Program;
  readonly transitions: readonly Transition[];
  readonly on?: Readonly<Partial<Record<Outcome, readonly Transition[]>>>;
  readonly timeoutMs?: number | null;
  readonly at?: Position | undefined;
}

export function workState(name: string, work: Work, parts: StateParts): WorkState {
  const { enter = null, transitions, on = {}, timeoutMs = null, at } = parts;
  return {
    kind: 'work',
    name,
    enter,
    work,
    transitions,
    on,
    timeoutMs,
    retry: null,
    ...(at === undefined ? {} : { at }),
  };
}

export function endState(
  name: string,
  outcome: Outcome,
  parts: { readonly output: string; readonly failure?: string; readonly at?: Position | undefined },
): EndState {
  const { output, failure, at } = parts;
  return {
    kind: 'end',
    name,
    outcome,
    output: code(output),
    ...(failure === undefined ? {} : { failure: code(failure) }),
    ...(at === undefined ? {} : { at }),
  };
}
