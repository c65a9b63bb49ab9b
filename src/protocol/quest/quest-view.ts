import type { Evidence } from '../../core/agent-fact.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Failure, Outcome } from '../../core/outcome.ts';
import type { ResultState } from '../../core/result-state.ts';
import type { Hold } from '../../core/snapshot.ts';
import type { CostUsd, Usage } from '../../core/usage.ts';
import type { QuestionView } from '../question-view.ts';
import type { RunView } from '../run-view.ts';

/**
 * A quest as people and tools read it: what `quest.json` holds and `troupe quest show --json` prints. It is the fold of the
 * journals of its runs and nothing besides (Q7). Fields are added, never renamed.
 */
export interface QuestView {
  readonly kind: 'quest';
  readonly format: 1;
  readonly run: string;
  readonly title: string;
  readonly request: string;
  readonly project: string;
  readonly status: RunView['status'];
  /** The state of the workflow it is in. */
  readonly phase: string;
  readonly outcome: Outcome | null;
  /** Where its result is; absent while it goes on, and where there is none. */
  readonly result?: ResultState;
  readonly failure: Failure | null;
  /** Who made it stand still, or what has to be mended first; absent while it moves, and at a limit, which is a question. */
  readonly paused?: Pick<Hold, 'by' | 'reason' | 'failure'>;
  /** What ChaosWhisperer delivered. */
  readonly requirements: readonly string[];
  readonly contexts: readonly string[];
  readonly observables: readonly string[];
  /** The commands of Ward; the engine runs them. */
  readonly ward: readonly string[];
  /** What a person should know and nothing waits for, such as a Ward that was red before the quest began. */
  readonly notices: readonly string[];
  readonly steps: readonly QuestStep[];
  /** Who works now, by slot. */
  readonly slots: readonly QuestSlot[];
  /** Of the roles that work for the whole: requirements, plan, review. */
  readonly sessions: readonly QuestSession[];
  readonly signals: readonly QuestSignal[];
  readonly checks: readonly QuestCheck[];
  readonly questions: readonly QuestionView[];
  readonly history: readonly HistoryLine[];
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly endedAt?: number;
  /** The newest record of each run that is accounted for here. */
  readonly records: Readonly<Record<string, number>>;
}

/** `merged`: its files are in those of the quest; `done`: it ended well without any; `resting`, `returning`: it has no slot now. */
export type StepStatus = 'waiting' | 'running' | 'resting' | 'returning' | 'merged' | 'done' | Exclude<Outcome, 'ok'>;

export interface QuestStep {
  readonly id: string;
  /** A `mend` is no part of the plan: somebody found something on the whole. */
  readonly kind: 'step' | 'mend';
  readonly title: string;
  readonly files: readonly string[];
  readonly after: readonly string[];
  readonly acceptance: readonly string[];
  /** The step it was split off from. */
  readonly partOf?: string;
  readonly status: StepStatus;
  /** How often it was begun. */
  readonly attempts: number;
  /** The run that does it; null before it begins. */
  readonly run: string | null;
  readonly summary: string | null;
  readonly reason: string | null;
  readonly sessions: readonly QuestSession[];
  readonly signals: readonly QuestSignal[];
  /** What the engine saw before it took a signal for true. */
  readonly evidence: readonly QuestEvidence[];
  readonly checks: readonly QuestCheck[];
  /** The last try to bring it home. */
  readonly merge: QuestMerge | null;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
}

export interface QuestSession {
  readonly role: string;
  /** The kind of client, or `model`. */
  readonly actor: string;
  /** The client's own id of the conversation; of a model the context, and which one after how many times it was cleared. */
  readonly session: string;
  readonly turns: number;
  readonly since: number;
}

export interface QuestSignal {
  readonly at: number;
  readonly role: string;
  readonly signal: string;
  /** `refused`: it did not fit or did not hold, and the agent was told why. */
  readonly status: 'taken' | 'refused';
  readonly why?: string;
  /** What it says besides its name and its step. */
  readonly says: JsonObject;
}

export interface QuestEvidence {
  readonly at: number;
  readonly role: string;
  readonly seen: Evidence;
}

export interface QuestCheck {
  readonly at: number;
  readonly command: string;
  readonly outcome: Outcome;
  readonly exitCode: number | null;
}

export interface QuestMerge {
  readonly at: number;
  readonly outcome: Outcome;
  readonly tries: number;
  readonly reason: string | null;
}

export interface QuestSlot {
  readonly slot: number;
  readonly step: string;
  readonly run: string;
  readonly state: string;
  /** Who speaks; null while the engine works. */
  readonly role: string | null;
  readonly session: string | null;
  readonly since: number;
}

export interface HistoryLine {
  readonly at: number;
  readonly run: string;
  readonly seq: number;
  /** Null: it is about the whole. */
  readonly step: string | null;
  readonly text: string;
}
