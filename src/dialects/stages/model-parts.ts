import type { Expression, Program } from '../../core/expression.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { EndState, Transition, Work, WorkState } from '../../core/workflow.ts';
import { Fault } from '../../core/fault.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { parseProgram } from '../expression/parse-program.ts';
import type { Parsed } from '../expression/parsed.ts';

/** Pieces of the model in short, with the engine's own code as text. */

const NAMES = ['result', 'outcome', 'failure', 'item'];

export const code = (source: string): Expression => sound(parseExpression(source, { names: NAMES }), source);

const script = (source: string): Program => sound(parseProgram(source, { names: NAMES }), source);

function sound<T>(parsed: Parsed<T>, source: string): T {
  if (parsed.ok) return parsed.value;
  throw new Fault('INTERNAL', `Code of the engine's own cannot be read: ${parsed.message}`, { facts: { source } });
}

export const to = (target: string, when: string | null = null, assign: string | null = null): Transition => ({
  target,
  when: when === null ? null : code(when),
  assign: assign === null ? null : script(assign),
});

type Parts = Pick<WorkState, 'transitions'> & Partial<Pick<WorkState, 'on' | 'timeoutMs' | 'timeout'>>;

export function workState(name: string, work: Work, parts: Parts): WorkState {
  return { kind: 'work', name, enter: null, work, on: {}, timeoutMs: null, retry: null, ...parts };
}

export function endState(
  name: string,
  outcome: Outcome,
  { output, failure }: { readonly output: string; readonly failure?: string },
): EndState {
  const why = failure === undefined ? {} : { failure: code(failure) };
  return { kind: 'end', name, outcome, output: code(output), ...why };
}
