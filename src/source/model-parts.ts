import type { Expression, Program } from '../core/model/expression.ts';
import type { Position } from '../core/model/fault.ts';
import type { Outcome } from '../core/model/outcome.ts';
import type {
  AgentSpec,
  CommandWork,
  EndState,
  Join,
  State,
  Transition,
  Work,
  Workflow,
  WorkState,
} from '../core/model/workflow.ts';
import { parseExpression, parseProgram } from './expression/parse-code.ts';
import type { Parsed } from './expression/syntax.ts';
import { defined } from './defined.ts';

/** Parts of the workflow model, for formats whose states are made by the engine and not by an author. */

const RESULT_NAMES = ['result', 'outcome', 'failure', 'units'];

/** Our own code: a syntax error in it is a defect. */
export const code = (source: string): Expression => sound(parseExpression(source, { names: RESULT_NAMES }), source);

export const script = (source: string): Program => sound(parseProgram(source, { names: RESULT_NAMES }), source);

function sound<T>(parsed: Parsed<T>, source: string): T {
  if (parsed.ok) return parsed.value;
  throw new Error(`The engine's own code cannot be read: ${parsed.message}\n${source}`);
}

/** Expressions by key, without those left out; a mapping with the author's own keys has them all. */
export type ExpressionsBy<Key extends string> = string extends Key
  ? Readonly<Record<string, Expression>>
  : Partial<Record<Key, Expression>>;

export const to = (target: string, when: string | null = null, assign: string | null = null): Transition => ({
  target,
  when: when === null ? null : code(when),
  assign: assign === null ? null : script(assign),
});

/** Leads where a program of a family says, which answers with `go`. */
export const goTo = (place: string, target = place): Transition => to(target, `result.go === ${JSON.stringify(place)}`);

const NOT_OK: readonly Outcome[] = ['failed', 'crashed', 'timeout', 'blocked', 'partial'];

/** Taken for every outcome, or for ok and the given ones. */
export const leadsTo = (
  target: string,
  outcomes: readonly Outcome[] = NOT_OK,
): Pick<StateParts, 'transitions' | 'on'> => ({
  transitions: [to(target)],
  on: Object.fromEntries(outcomes.map((outcome) => [outcome, [to(target)]])),
});

export const byName = (states: readonly State[]): Workflow['states'] =>
  Object.fromEntries(states.map((state) => [state.name, state]));

export interface StateParts {
  readonly enter?: Program;
  readonly transitions: readonly Transition[];
  readonly on?: Readonly<Partial<Record<Outcome, readonly Transition[]>>>;
  readonly timeoutMs?: number | null;
  readonly at?: Position | undefined;
}

export function workState(name: string, work: Work, parts: StateParts): WorkState {
  const { enter = null, transitions, on = {}, timeoutMs = null, at } = parts;
  return { kind: 'work', name, enter, work, transitions, on, timeoutMs, retry: null, ...defined({ at }) };
}

export function endState(
  name: string,
  outcome: Outcome,
  parts: { readonly output: string; readonly failure?: string; readonly at?: Position | undefined },
): EndState {
  const { output, failure, at } = parts;
  const why = failure === undefined ? undefined : code(failure);
  return { kind: 'end', name, outcome, output: code(output), ...defined({ failure: why, at }) };
}

/** An agent that knows where it was written, so that an undefined role is reported with a line. */
export interface PlacedAgent extends AgentSpec {
  readonly at?: Position;
  /** Where its actor is written, if on a different line. */
  readonly actorAt?: Position;
}

/** The engine does it itself; the command is only its name. */
export const diffWork = ({ agent, tests }: DiffParts = {}): CommandWork => ({
  kind: 'command',
  command: { kind: 'literal', value: 'diff' },
  okExitCodes: [0],
  builtin: tests === true ? 'diff and tests' : 'diff',
  ...defined({ agent }),
});

export interface DiffParts {
  readonly agent?: string | undefined;
  readonly tests?: boolean | undefined;
}

/** How many units must come out ok, as authors write it. */
export const joinOf = (join: Exclude<Join['rule'], 'quorum'> | { readonly quorum: number }): Join =>
  typeof join === 'string' ? { rule: join } : { rule: 'quorum', count: join.quorum };
