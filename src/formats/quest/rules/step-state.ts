import type { PlannedStep } from './plan-problems.ts';
import type { EndedWork, QuestProblem, TodoStep } from './quest-state.ts';
import type { QuestTable } from './quest-table.ts';
import type { HandedCall } from './signal-said.ts';

/**
 * The progress of one step, from its first line to the merge into the whole. `stack` contains the waiting roles; the last one speaks. A
 * followup is put on top of its caller and removed when it is complete; then the caller continues in its session if it asked to.
 */
export interface StepState {
  readonly phase: 'work' | 'test' | 'merge';
  readonly stack: readonly StackedRole[];
  /** All commands of Ward as one; empty without any. */
  readonly ward: string;
  readonly say: string;
  /** How the role that speaks hands in. */
  readonly hand_in: string;
  readonly question: string;
  /** The evidence that the engine checks at the end of the step, and the part that the current role owes. */
  readonly expects: OwedEvidence;
  readonly owed: OwedEvidence;
  readonly parts: readonly StepPart[];
  readonly tested: boolean;
  readonly fixes: number;
  readonly conflicts: number;
  readonly ward_passed: string;
  readonly problem: QuestProblem | null;
  readonly summary: string;
  readonly files: readonly string[];
}

export interface StackedRole {
  readonly role: string;
  /** Its first prompt; null if that is the step itself. */
  readonly errand: string | null;
  /** It called the role above it, and goes on when that is complete. */
  readonly resume: boolean;
  /** How often it sent each signal, and needed each correction. */
  readonly tries: Readonly<Record<string, number>>;
}

export interface OwedEvidence {
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

/** A part that a step is split into; it joins the pool of steps. */
export interface StepPart extends PlannedStep {
  readonly part_of: string;
}

/** The input of a step. */
export interface StepTask {
  readonly step: TodoStep;
  readonly ward: readonly string[];
  readonly quest: StepQuest;
}

/** The quest of a step. */
export interface StepQuest {
  readonly request: string;
  readonly requirements: readonly string[];
  readonly contexts: readonly string[];
  readonly observables: readonly string[];
  readonly steps: readonly string[];
  /** Steps that are merged, those that this one comes after among them. */
  readonly before: readonly FinishedStep[];
}

export interface FinishedStep {
  readonly id: string;
  readonly summary: string;
  readonly files: readonly string[];
}

export type StepEvent =
  | { readonly kind: 'started' }
  | { readonly kind: 'handed'; readonly calls: readonly HandedCall[] }
  | { readonly kind: 'answered'; readonly answer: string }
  /** The changes of the step so far. */
  | { readonly kind: 'seen'; readonly diff: string }
  /** Ward ran on the step. */
  | ({ readonly kind: 'checked' } & EndedWork)
  | ({ readonly kind: 'merged' } & EndedWork);

/** All that a decision about a step depends on besides the event. */
export interface StepMatter {
  readonly table: Pick<QuestTable, 'step' | 'limits'>;
  readonly input: StepTask;
  readonly state: StepState;
}

/** The next state of the step; `over`: every role that spoke is done. */
export interface StepMove {
  readonly to: string;
  readonly state: StepState;
}

const NOTHING_OWED: OwedEvidence = { files: [], commands: [] };

export const NEW_STEP: StepState = {
  phase: 'work',
  stack: [],
  ward: '',
  say: '',
  hand_in: '',
  question: '',
  expects: NOTHING_OWED,
  owed: NOTHING_OWED,
  parts: [],
  tested: false,
  fixes: 0,
  conflicts: 0,
  ward_passed: '',
  problem: null,
  summary: '',
  files: [],
};

/** The states of a lowered step that rules name; roles are states too. */
export const STEP_STATES = {
  ask: 'ask',
  look: 'look',
  ward: 'ward',
  home: 'home',
  gaveUp: 'gave_up',
  stop: 'stop',
} as const;

/** The role that speaks. */
export const topOf = ({ stack }: StepState): StackedRole => {
  const top = stack.at(-1);
  if (top === undefined) throw new Error('No role is at work in this step.');
  return top;
};

export const stacked = (role: string, errand: string | null): StackedRole => ({
  role,
  errand,
  resume: false,
  tries: {},
});

export const withTop = (state: StepState, top: StackedRole): StepState => ({
  ...state,
  stack: [...state.stack.slice(0, -1), top],
});

/** One more of a kind of signal, or of correction, by the role that speaks. */
export function countTry(state: StepState, kind: string): StepState {
  const top = topOf(state);
  return withTop(state, { ...top, tries: { ...top.tries, [kind]: (top.tries[kind] ?? 0) + 1 } });
}

export function giveUpStep({ input, state }: StepMatter, problem: QuestProblem): StepMove {
  const { code, hint } = problem;
  const message = `Step ${input.step.id}: ${problem.message}`;
  const named = { code, message, ...(hint === undefined ? {} : { hint }) };
  return { to: STEP_STATES.gaveUp, state: { ...state, problem: named } };
}

/** Planned work, and not a step that was made for a role that fixes or helps. */
export const isNew = ({ table, input }: StepMatter): boolean =>
  input.step.begin === undefined || table.step[input.step.begin]?.does === 'implement';
