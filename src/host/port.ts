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
 * `idle`: this process has nothing to do for the run for a while, because it rests, or waits for runs that other processes drive or for
 * a time that is far away. `asleep`: nothing but a message moves it before such a time.
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
   * Takes a run over and goes on from its journal; of one that is over, the delivery that it owes is carried out. RUN_BUSY when
   * another process drives it, RUN_SETTLED when there is nothing to do.
   */
  resume(run: RunId, options?: ResumeOptions): Promise<void>;
  /**
   * No longer drives a run that it was asked to resume, and ends nothing of it. Other runs of its tree that it was asked to resume are
   * driven on. The journal then says until when the run sleeps, if it does. `isOnlyAsleep`: where it does not sleep by now, it is
   * driven on, and the answer is false.
   */
  leave(run: RunId, terms?: { readonly isOnlyAsleep: boolean }): Promise<boolean>;
  /** Lets a run that a person paused go on where it is driven, with all that was paused below it. Takes nothing over. */
  unpause(run: RunId, by: string): Promise<void>;
  /** Resolves when the run is settled and its result delivered, or can only go on when a person acts. */
  rest(run: RunId): Promise<RunRest>;
  /** What this process has to do for the run, as soon as that is something else than before; null when the run is no longer driven here. */
  nextActivity(run: RunId, before: RunActivity): Promise<RunActivity | null>;
  /**
   * First answer wins; a later one is refused with QUESTION_CLOSED. `question` may be left out when only one is open. `taken`: it is
   * recorded. `sent`: it waits in the inbox for the process that drives the run.
   */
  answer(run: RunId, answer: Answer): Promise<'taken' | 'sent'>;
  /**
   * A person's words to an agent of the run or of one below it: heard with its next call where it is at work, else with its next
   * turn. Where nobody drives the run they wait in its inbox. AGENT_UNKNOWN, AGENT_AMBIGUOUS, RUN_SETTLED.
   */
  tell(run: RunId, remark: Remark): Promise<Addressed>;
  cancel(run: RunId, by: string, reason: string): Promise<void>;
  /** What is under way comes to its end, and nothing new starts until somebody resumes the run. */
  pause(run: RunId, by: string, reason: string): Promise<void>;
  /** A new run that begins as this one was at a record, with its files; it is not driven yet. */
  fork(run: RunId, options: ForkOptions): Promise<RunId>;
  /** Lets a run that nobody drives go on with another definition; DEFINITION_MISFIT where it stands in what that one lacks. */
  redefine(run: RunId, options: RedefineOptions): Promise<void>;
  /** Why it could not, in sentences; none when it can. */
  misfits(run: RunId, definition: Definition): Promise<readonly string[]>;
  /** Puts a run that nobody drives back to an earlier record. */
  rewind(run: RunId, options: RewindOptions): Promise<Rewound>;
  /** Writes down what a person did with the result of this run. RUN_BUSY while a process drives it. */
  note(run: RunId, fact: PersonalFact): Promise<void>;
  /**
   * Keeps every other process from the run until it is released or handed over. RUN_BUSY, also where it has records after `seen`.
   * Answers to a held run and to those below it are recorded at once.
   */
  hold(run: RunId, seen?: number): Promise<HeldRun>;
  /** What the run keeps to from here on, whichever process drives it. RUN_SETTLED. */
  changeTerms(run: RunId, terms: RunTerms, by: string): Promise<void>;
  raise(run: RunId, limit: LimitName, allowed: number, by: string): Promise<void>;
  addUnits(run: RunId, pool: TaskId, units: readonly NewUnit[]): Promise<void>;
  /** Where the run stands, driven here or not. */
  snapshot(run: RunId): Promise<Snapshot>;
  definition(run: RunId): Promise<Definition>;
  onLive(listener: (event: LiveEvent) => void): () => void;
  /** Stops driving without ending anything: what is open goes on at the next `resume`. */
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
  /** What the run keeps to, whichever process drives it. */
  readonly terms?: RunTerms;
  /** What the worker that drives it must offer, and when its turn is: where workers drive it. */
  readonly needs?: readonly string[];
  readonly priority?: number;
  /** The run is only begun here, and other processes drive it. Sends them what they need before the run is there. */
  readonly sendAway?: (run: RunId, files: ProjectFiles) => Promise<ProjectOrigin>;
}

export interface ResumeOptions {
  /** Another sandbox than the run has, because a person said so. */
  readonly sandbox?: string;
  /** Terms that are other ones from here on. */
  readonly terms?: RunTerms;
  /** Who said so. */
  readonly by?: string;
  /** The lease of a process that holds the run and hands it over. */
  readonly from?: Lease;
  /** No person asked for this: a run that a person paused stays paused. */
  readonly keepsPause?: true;
}

export interface ForkOptions {
  readonly at: number;
  readonly input?: JsonObject;
  /** Another definition, such as one with other models. */
  readonly definition?: Definition;
  /** Terms other than those of the run it comes from. */
  readonly terms?: RunTerms;
  /** What the worker that drives it must offer, where that is something else. */
  readonly needs?: readonly string[];
  /** What it is called in lists; that of the run it comes from when left out, with where it left it. */
  readonly title?: string;
  /** What its agents are told before anything else happens. AGENT_UNKNOWN. */
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
  /** The record just before it: going back there undoes it. */
  readonly undo: number;
  /** Workspaces that hold other files now. */
  readonly workspaces: readonly string[];
}

export interface Answer {
  readonly question?: string;
  readonly answer: Json;
  readonly by: string;
  /** Where it was given; `library` where nothing is said. */
  readonly via?: Surface;
  /** Is in the record of the answer that counted. */
  readonly answerId?: string;
  /** The mark of the files that the person saw it asked for; that of the question where nothing is said. */
  readonly mark?: string;
}

export interface Remark {
  /** Its name; one of a run below may be named with the way to it, as in `t3/coder`. */
  readonly agent: string;
  readonly text: string;
  readonly by: string;
}

/** Whom the words were for. */
export interface Addressed {
  readonly run: RunId;
  readonly agent: string;
}

export interface RunRest {
  readonly run: RunId;
  readonly status: 'settled' | 'waiting' | 'paused';
  readonly outcome: Outcome | null;
  /** What became of its result, and where it is. */
  readonly result: ResultState;
  readonly output: Json;
  readonly failure: Failure | null;
  readonly questions: readonly Question[];
  readonly usage: Usage;
  readonly costUsd: CostUsd;
}

/** Something only a person can settle. */
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
