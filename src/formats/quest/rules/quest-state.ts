import type { FailureCode } from '../../../core/codes/codes.ts';
import type { Json } from '../../../core/model/json.ts';
import type { PlannedStep } from './plan-problems.ts';
import type { QuestTable } from './quest-table.ts';
import type { HandedCall } from './signal-said.ts';

/** The progress of a quest, besides its input. Kept in the run's data and changed by `decideQuest` alone. */
export interface QuestState {
  /** Commands of Ward that were tried on the untouched project, those that cannot be run, and what a person should know. */
  readonly tried: number;
  readonly unusable: readonly string[];
  readonly notices: readonly string[];
  readonly requirements: readonly string[];
  readonly contexts: readonly string[];
  readonly observables: readonly string[];
  readonly steps: readonly PlannedStep[];
  /** The same in a line each, for every step to know of the others. */
  readonly titles: readonly string[];
  /** All commands of Ward as one; empty without any. */
  readonly ward: string;
  /** The role that speaks, the first prompt of a new session of it, and its prompt now. */
  readonly who: string;
  readonly errand: string;
  readonly say: string;
  readonly question: string;
  /** The steps in the slots, and what waits for them: the review, or the role that asked for them. */
  readonly todo: readonly TodoStep[];
  readonly waiting: 'role' | 'review';
  readonly done: readonly DoneStep[];
  /** How often each role sent each signal, and needed each correction. */
  readonly tries: Readonly<Record<string, number>>;
  readonly findings: string | null;
  /** Ward's output on the whole: null if it did not fail. */
  readonly ward_output: string | null;
  readonly ward_passed: string;
  readonly problem: QuestProblem | null;
  readonly report: QuestReport | null;
}

/** A planned step, or one that the engine makes for a role. */
export interface TodoStep extends Pick<PlannedStep, 'id' | 'title' | 'files' | 'after' | 'acceptance' | 'context'> {
  readonly checks?: readonly string[];
  /** The role that begins it, where that is not the implementer. */
  readonly begin?: string;
  /** The role that asked for it goes on in its session afterwards. */
  readonly resume?: boolean;
}

export interface DoneStep {
  readonly id: string;
  readonly kind: 'step' | 'repair';
  readonly outcome: string;
  readonly summary: string | null;
  readonly files: readonly string[];
}

export interface QuestProblem {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint?: string;
}

export interface QuestReport {
  readonly request: string;
  readonly steps: readonly DoneStep[];
  readonly ward: 'none' | 'green' | 'red';
  readonly findings: string | null;
}

/** The input of a quest. */
export interface QuestInput {
  readonly request: string;
  readonly ward: readonly string[];
  /** The file that names each of these commands. */
  readonly wardFrom: readonly string[];
}

/** How a command or a merge ended. */
export interface EndedWork {
  readonly outcome: string;
  readonly output: Json;
  readonly failure: { readonly code: FailureCode; readonly message: string } | null;
}

export interface EndedUnit {
  readonly id: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly output: Json;
}

export type QuestEvent =
  | { readonly kind: 'started' }
  /** A command of Ward was tried on the untouched project. */
  | ({ readonly kind: 'tried' } & EndedWork)
  /** The role that speaks ended its turn. */
  | { readonly kind: 'handed'; readonly calls: readonly HandedCall[] }
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'worked'; readonly units: readonly EndedUnit[]; readonly failure: EndedWork['failure'] }
  /** Ward ran on the whole. */
  | ({ readonly kind: 'checked' } & EndedWork)
  /** The changes of all steps, for the review. */
  | { readonly kind: 'seen'; readonly diff: string }
  /** The review, or the diff that it needs, did not come about. */
  | { readonly kind: 'unseen'; readonly message: string };

/** All that a decision about the whole quest depends on besides the event. */
export interface QuestMatter {
  readonly table: QuestTable;
  readonly input: QuestInput;
  readonly state: QuestState;
}

/** The variable of a run that keeps the state of a quest, or of one of its steps. */
export const KEPT = 'progress';

export const NEW_QUEST: QuestState = {
  tried: 0,
  unusable: [],
  notices: [],
  requirements: [],
  contexts: [],
  observables: [],
  steps: [],
  titles: [],
  ward: '',
  who: '',
  errand: '',
  say: '',
  question: '',
  todo: [],
  waiting: 'review',
  done: [],
  tries: {},
  findings: null,
  ward_output: null,
  ward_passed: '',
  problem: null,
  report: null,
};

/** The states of a lowered quest that rules name; roles are states too. */
export const QUEST_STATES = {
  tryWard: 'try_ward',
  ask: 'ask',
  work: 'work',
  ward: 'ward',
  review: 'review',
  reviewDiff: 'review_diff',
  partlyDone: 'partly_done',
  gaveUp: 'gave_up',
  stop: 'stop',
} as const;

/** The state in which a role forgets its conversation, for a new session of it. */
export const clearState = (role: string): string => `clear_${role}`;
