import type { DecisionFact, DeliveryFact } from '../core/record/delivery-fact.ts';
import type { JournalRecord } from '../core/record/fact.ts';
import type { NewUnit } from '../core/record/task-fact.ts';
import type { LimitName } from '../core/record/limit-fact.ts';
import type { ProjectChanged, ProjectFiles, ProjectOrigin } from '../core/record/files-fact.ts';
import type { RunId, TaskId } from '../core/model/ids.ts';
import type { Json, JsonObject } from '../core/model/json.ts';
import type { OpenQuestion } from '../core/look/open-questions.ts';
import type { Failure, Outcome } from '../core/model/outcome.ts';
import type { Surface } from '../core/record/question-fact.ts';
import type { ResultState } from '../core/look/result-state.ts';
import type { Definition } from '../core/model/definition.ts';
import type { RunTerms } from '../core/model/run-terms.ts';
import type { Snapshot } from '../core/fold/snapshot.ts';
import type { CostUsd, Usage } from '../core/model/usage.ts';
import type { Limits } from '../core/model/workflow.ts';
import type { Lease } from '../journal/port.ts';

/**
 * `idle`: this process has nothing to do for the run for a while, because it rests, or waits for runs that other processes
 * drive or for a distant time. `asleep`: only a message moves it before such a time.
 */
export type RunActivity = 'at work' | 'idle' | 'asleep';

/**
 * Drives runs durably. Every implementation passes `host.contract.ts`:
 *
 * [H1] No effect leaves before the event that caused it and its own intent are durable; a result and the intents it leads to share one transaction.
 * [H2] Events of a run are consumed one at a time, and the order is recorded.
 * [H3] Effects are at-least-once, keyed `run/task/…`, with ids chosen by the interpreter.
 * [H4] Stale events change nothing.
 * [H5] Time reaches the interpreter only with an event, taken when the event is recorded.
 * [H6] Values above 64 KB live in the content-addressed store.
 */
export interface Host {
  /** Resolves once the run is durable; its first effect leaves afterwards. */
  start(options: StartOptions): Promise<RunId>;
  /**
   * Takes a run over and continues from its journal; for a settled run, performs the delivery that it owes. RUN_BUSY when
   * another process drives it, RUN_SETTLED when there is nothing to do.
   */
  resume(run: RunId, options?: ResumeOptions): Promise<void>;
  /**
   * Stops driving a run that it was asked to resume, and ends nothing of it. Other runs of its tree that it was asked to
   * resume are still driven. The journal then says until when the run sleeps, if it does. `isOnlyAsleep`: a run that does
   * not sleep by now is still driven, and the answer is false.
   */
  leave(run: RunId, terms?: { readonly isOnlyAsleep: boolean }): Promise<boolean>;
  /** Continues a run that a person paused, if it is driven, with all that was paused below it. Takes nothing over. */
  unpause(run: RunId, by: string): Promise<void>;
  /** Resolves when the run is settled and its result delivered, or can only continue when a person acts. */
  rest(run: RunId): Promise<RunRest>;
  /**
   * Resolves with the activity of this process for the run as soon as it differs from `before`; null when the run is no
   * longer driven here.
   */
  nextActivity(run: RunId, before: RunActivity): Promise<RunActivity | null>;
  /**
   * First answer wins; a later one is refused with QUESTION_CLOSED. `question` may be left out when only one is open. `taken`: it is
   * recorded. `sent`: it waits in the inbox for the process that drives the run.
   */
  answer(run: RunId, answer: Answer): Promise<'taken' | 'sent'>;
  /**
   * A person's message to an agent of the run or of one below it: sent with its next call if it has a turn, else with its
   * next turn. If no process drives the run, it waits in the inbox. AGENT_UNKNOWN, AGENT_AMBIGUOUS, RUN_SETTLED.
   */
  tell(run: RunId, remark: Remark): Promise<Addressed>;
  cancel(run: RunId, by: string, reason: string): Promise<void>;
  /** Work in progress ends, and nothing new starts until a person resumes the run. */
  pause(run: RunId, by: string, reason: string): Promise<void>;
  /** A new run that starts at a record of this one, with its files; it is not driven yet. */
  fork(run: RunId, options: ForkOptions): Promise<RunId>;
  /** Changes the definition of a run that no process drives; DEFINITION_MISFIT if the run's position does not exist there. */
  redefine(run: RunId, options: RedefineOptions): Promise<void>;
  /** Why it does not fit, in sentences; none if it does. */
  misfits(run: RunId, definition: Definition): Promise<readonly string[]>;
  /** Rolls a run that no process drives back to an earlier record. */
  rewind(run: RunId, options: RewindOptions): Promise<Rewound>;
  /** Records what a person did with the result of this run. RUN_BUSY while a process drives it. */
  note(run: RunId, fact: PersonalFact): Promise<void>;
  /**
   * Keeps every other process from the run until it is released or handed over. RUN_BUSY, also if it has records after
   * `seen`. Answers to a held run and to those below it are recorded at once.
   */
  hold(run: RunId, seen?: number): Promise<HeldRun>;
  /** Changes the terms of the run from here on, whichever process drives it. RUN_SETTLED. */
  changeTerms(run: RunId, terms: RunTerms, by: string): Promise<void>;
  raise(run: RunId, limit: LimitName, allowed: number, by: string): Promise<void>;
  addUnits(run: RunId, pool: TaskId, units: readonly NewUnit[]): Promise<void>;
  /** The state of the run, driven here or not. */
  snapshot(run: RunId): Promise<Snapshot>;
  definition(run: RunId): Promise<Definition>;
  onLive(listener: (event: LiveEvent) => void): () => void;
  /** Stops driving without ending anything: open work continues at the next `resume`. */
  shutdown(): Promise<void>;
}

/** Facts that a person's own process writes about a run that no process drives. */
export type PersonalFact = ProjectChanged | DeliveryFact | DecisionFact;

/** A run that only this process may write to. */
export interface HeldRun {
  /** As it was when it was taken. */
  readonly snapshot: Snapshot;
  /** Hands the run over to the process that resumes it with this. */
  readonly lease: Lease;
  readonly note: (fact: PersonalFact) => Promise<void>;
  readonly release: () => Promise<void>;
}

export interface StartOptions {
  readonly definition: Definition;
  readonly input: JsonObject;
  /** Chosen by the host when left out. */
  readonly run?: RunId;
  readonly limits?: Partial<Limits>;
  readonly project: string;
  readonly title?: string;
  /** The terms of the run, whichever process drives it. */
  readonly terms?: RunTerms;
  /** If workers drive it: what they must offer, and its priority. */
  readonly needs?: readonly string[];
  readonly priority?: number;
  /** The run is only started here, and other processes drive it. Sends them what they need before the run exists. */
  readonly sendAway?: (run: RunId, files: ProjectFiles) => Promise<ProjectOrigin>;
}

export interface ResumeOptions {
  /** A different sandbox, because a person chose it. */
  readonly sandbox?: string;
  /** Terms that change from here on. */
  readonly terms?: RunTerms;
  /** The person who chose it. */
  readonly by?: string;
  /** The lease of a process that holds the run and hands it over. */
  readonly from?: Lease;
  /** No person asked for this: a run that a person paused stays paused. */
  readonly keepsPause?: true;
}

export interface ForkOptions {
  readonly at: number;
  readonly input?: JsonObject;
  /** A different definition, such as one with other models. */
  readonly definition?: Definition;
  /** Terms other than those of the run it comes from. */
  readonly terms?: RunTerms;
  /** What the worker that drives it must offer, if that differs. */
  readonly needs?: readonly string[];
  /** Its title in lists; by default that of its source, with the step. */
  readonly title?: string;
  /** Messages to its agents before anything else happens. AGENT_UNKNOWN. */
  readonly tell?: readonly Omit<Remark, 'by'>[];
  readonly by: string;
}

export interface RedefineOptions {
  readonly definition: Definition;
  /** As for forks. */
  readonly needs?: readonly string[];
  readonly by: string;
}

export interface RewindOptions {
  readonly to: number;
  readonly files: boolean;
  readonly conversation: boolean;
  readonly by: string;
}

export interface Rewound {
  /** The record just before it: rolling back there undoes it. */
  readonly undo: number;
  /** Workspaces whose files changed. */
  readonly workspaces: readonly string[];
}

export interface Answer {
  readonly question?: string;
  readonly answer: Json;
  readonly by: string;
  /** Where it was given. Default: `library`. */
  readonly via?: Surface;
  /** Included in the record of the answer that counted. */
  readonly answerId?: string;
  /** The mark of the files that the person saw. Default: that of the question. */
  readonly mark?: string;
}

export interface Remark {
  /** Its name; an agent of a child run may be named with the path to it, as in `t3/coder`. */
  readonly agent: string;
  readonly text: string;
  readonly by: string;
}

/** The receiver of the message. */
export interface Addressed {
  readonly run: RunId;
  readonly agent: string;
}

export interface RunRest {
  readonly run: RunId;
  readonly status: 'settled' | 'waiting' | 'paused';
  readonly outcome: Outcome | null;
  /** The state of its result, and where it is. */
  readonly result: ResultState;
  readonly output: Json;
  readonly failure: Failure | null;
  readonly questions: readonly Question[];
  readonly usage: Usage;
  readonly costUsd: CostUsd;
}

/** Something only a person can decide. */
export interface Question extends OpenQuestion {
  /** The run that asks: this one or a child of it. */
  readonly run: RunId;
}

export type LiveEvent =
  | { readonly kind: 'record'; readonly run: RunId; readonly record: JournalRecord }
  | {
      readonly kind: 'text';
      readonly run: RunId;
      readonly agent: string;
      readonly task: TaskId;
      readonly delta: string;
    };
