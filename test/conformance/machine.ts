import type { Choices } from './choices.ts';

/**
 * A flat machine over two small integers, written for neither engine: `as-workflow.ts` and `as-xstate.ts` each say it in
 * their own words.
 */
export interface Machine {
  readonly data: Data;
  /** The first is where it starts; the last is the final one. */
  readonly states: readonly MachineState[];
  /** How often a state may be entered. */
  readonly iterations: number;
}

export interface Data {
  readonly a: number;
  readonly b: number;
}

export interface MachineState {
  readonly name: string;
  readonly kind: 'route' | 'work' | 'wait' | 'final';
  /** Changes on entry. */
  readonly entry: readonly Change[];
  /** Always, when the work is done, or when the wait is over. */
  readonly edges: readonly Edge[];
  /** When the work failed; null without a handler. */
  readonly failed: readonly Edge[] | null;
  /** When the work took too long; null without a handler. */
  readonly late: readonly Edge[] | null;
  readonly ms: number | null;
  /** Which of our kinds of work stands for the invoked actor. */
  readonly work: 'command' | 'call' | 'turn';
}

export interface Edge {
  readonly target: string;
  readonly guard: Guard;
  readonly changes: readonly Change[];
}

export type Guard =
  | { readonly kind: 'always' }
  | { readonly kind: 'data'; readonly name: keyof Data; readonly operator: '<' | '===' | '>='; readonly value: number }
  /** What the work came to; never holds where there was none. */
  | { readonly kind: 'result'; readonly value: number }
  | { readonly kind: 'code'; readonly value: string }
  | { readonly kind: 'throws' };

/** `name = (from + plus) % 5`, or something that throws. */
export interface Change {
  readonly name: keyof Data;
  readonly from: keyof Data | 'throws';
  readonly plus: number;
}

/** What happens to a machine from outside. What does not apply to the state it is in must change nothing. */
export type Action =
  | { readonly kind: 'done'; readonly value: number }
  | { readonly kind: 'error'; readonly code: string }
  | { readonly kind: 'tick'; readonly ms: number }
  /** The newest result comes again, and every alarm that was ever set rings. */
  | { readonly kind: 'echo' };

export const CODES = ['E1', 'E2'] as const;

export function randomMachine(choices: Choices): Machine {
  const names = Array.from({ length: choices.below(5) + 2 }, (_, index) => `s${index}`);
  // Mostly another state: a machine that ends at once shows little.
  const target = () => (choices.below(8) === 0 ? 'end' : (names[choices.below(names.length)] ?? 'end'));
  const states = names.map((name) => randomState(choices, name, target));
  return {
    data: { a: choices.below(3), b: choices.below(3) },
    states: [...states, { ...states[0], ...FINAL }],
    iterations: choices.below(8) + 2,
  };
}

const FINAL: MachineState = {
  name: 'end',
  kind: 'final',
  entry: [],
  edges: [],
  failed: null,
  late: null,
  ms: null,
  work: 'command',
};

function randomState(choices: Choices, name: string, target: () => string): MachineState {
  const kind = choices.pick(['route', 'work', 'work', 'wait', 'work'] as const);
  const edges = () => randomEdges(choices, target);
  return {
    name,
    kind,
    entry: choices.oneIn(4) ? [randomChange(choices)] : [],
    edges: edges(),
    failed: kind === 'work' && !choices.oneIn(6) ? edges() : null,
    late: kind === 'work' && !choices.oneIn(4) ? edges() : null,
    ms: kind === 'wait' || (kind === 'work' && choices.oneIn(2)) ? 10 * (choices.below(3) + 1) : null,
    work: choices.pick(['command', 'call', 'turn'] as const),
  };
}

function randomEdges(choices: Choices, target: () => string): readonly Edge[] {
  const guarded = choices.list(2, () => ({
    target: target(),
    guard: randomGuard(choices),
    changes: choices.list(2, () => randomChange(choices)),
  }));
  if (choices.oneIn(10)) return guarded;
  return [
    ...guarded,
    { target: target(), guard: { kind: 'always' }, changes: choices.list(2, () => randomChange(choices)) },
  ];
}

function randomGuard(choices: Choices): Guard {
  const value = choices.below(4);
  switch (choices.below(32)) {
    case 31:
      return { kind: 'throws' };
    case 30:
    case 29:
    case 28:
    case 27:
    case 26:
    case 25:
      return { kind: 'result', value };
    case 24:
    case 23:
    case 22:
    case 21:
      return { kind: 'code', value: choices.pick(CODES) };
    case 20:
      return { kind: 'always' };
    default:
      return { kind: 'data', name: choices.pick(['a', 'b']), operator: choices.pick(['<', '===', '>=']), value };
  }
}

function randomChange(choices: Choices): Change {
  const from = choices.oneIn(100) ? 'throws' : choices.pick(['a', 'b'] as const);
  return { name: choices.pick(['a', 'b']), from, plus: choices.below(4) };
}

export function randomActions(choices: Choices): readonly Action[] {
  return choices.list(40, (): Action => {
    switch (choices.below(8)) {
      case 7:
        return { kind: 'echo' };
      case 6:
      case 5:
        return { kind: 'error', code: choices.pick(CODES) };
      case 4:
      case 3:
        return { kind: 'tick', ms: 10 * (choices.below(4) + 1) };
      default:
        return { kind: 'done', value: choices.below(4) };
    }
  });
}
