import type { CallStarted, CallAnswered, CallRetried, CallFailed, ToolFinished } from './call-fact.ts';
import type {
  TaskStarted,
  TaskStopping,
  TaskEnded,
  ScriptEvaluated,
  UnitsAdded,
  UnitEnded,
  RunStopping,
} from './task-fact.ts';
import type { LimitName, LimitReached, LimitShared } from './limit-fact.ts';
import type { AgentFact } from './agent-fact.ts';
import type { ApartTurn } from './apart-turn.ts';
import type { CompactionFact } from './compaction-fact.ts';
import type { DecisionFact, DeliveryFact } from './delivery-fact.ts';
import type { FilesFact, ProjectFiles, ProjectOrigin } from './files-fact.ts';
import type { BodyHash, RunId, TaskId } from '../model/ids.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import type { Failure, Outcome } from '../model/outcome.ts';
import type { ProjectBrief } from '../model/project-brief.ts';
import type { Patch } from './patch.ts';
import type { QuestionAnswered, QuestionAsked } from './question-fact.ts';
import type { RunRewound } from './rewound-fact.ts';
import type { RunTerms } from '../model/run-terms.ts';
import type { Limits } from '../model/workflow.ts';

/**
 * What happened, as recorded in the journal. Facts carry what was decided, so folding them evaluates nothing. A fact is
 * never changed; only new kinds or optional fields are added.
 */
export type Fact =
  | RunStarted
  | RunResumed
  | { readonly kind: 'run.cancelled'; readonly by: string; readonly reason: string }
  | RunStopping
  | RunSettled
  | StateEntered
  | DataSet
  | TaskStarted
  | TaskStopping
  | TaskEnded
  | CallStarted
  | CallAnswered
  | CallFailed
  | CallRetried
  | ToolFinished
  | ScriptEvaluated
  | UnitsAdded
  | UnitEnded
  | MessageAdded
  | { readonly kind: 'context.cleared'; readonly context: string }
  | { readonly kind: 'context.trimmed'; readonly context: string; readonly dropped: number; readonly chars: number }
  | LimitReached
  | LimitShared
  | FilesFact
  | DeliveryFact
  | DecisionFact
  | AgentFact
  | CompactionFact
  | TermsChanged
  | { readonly kind: 'limit.raised'; readonly limit: LimitName; readonly allowed: number; readonly by: string }
  | RunRewound
  | QuestionAsked
  | QuestionAnswered;

export interface MessageAdded {
  readonly kind: 'message.added';
  readonly context: string;
  readonly message: Message;
  /** The person who said it. */
  readonly by?: string;
  /** The turn in progress when it was said: it is sent with the next call, or joins the context with the turn. */
  readonly task?: TaskId;
}

/** A conversation as a run begins with it. */
export interface OpenedContext {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly maxLength: number;
  /** Of a turn that a run below takes: what of the conversation was trimmed before, and the agent's own view of it. */
  readonly dropped?: number;
  readonly views?: Readonly<Record<string, readonly Message[]>>;
}

export interface RunStarted {
  readonly kind: 'run.started';
  /** Version of the facts' meaning. A change that would fold differently gets the next number. */
  readonly format: 1;
  readonly engine: string;
  readonly run: RunId;
  readonly parent: RunId | null;
  readonly workflow: string;
  readonly definition: BodyHash;
  readonly input: JsonObject;
  readonly data: JsonObject;
  readonly contexts: readonly OpenedContext[];
  readonly limits: Limits;
  /** The project the run was started in. */
  readonly project: string;
  /** Its files at that moment; absent where no agent can touch files. */
  readonly files?: ProjectFiles;
  /** Workers open the project by this and never by its path. Absent in child runs, which use that of their root. */
  readonly origin?: ProjectOrigin;
  /** The workspace that agents share by default; `main` if absent. */
  readonly workspace?: string;
  /** The sandbox of commands: the level that was found to work, or was chosen. */
  readonly sandbox?: string;
  /** The project facts that its agents read; absent if no agent can touch files, and in child runs. */
  readonly brief?: ProjectBrief;
  /** The user's terms at the start; absent in child runs, which use those of their root. */
  readonly terms?: RunTerms;
  /** Another process will drive it than the one that started it: nothing of it has happened before it is taken over. */
  readonly isOffered?: true;
  /** What the worker that drives it must offer, such as `label gpu`; absent in child runs, which use that of their root. */
  readonly needs?: readonly string[];
  /** Of queued runs, those with a lower one go first; 100 where it is absent. */
  readonly priority?: number;
  /** It is below a unit of a pool, and works in its slot. */
  readonly slot?: 'given' | 'left';
  /** The tools that its agents may be offered, in the journal's store; absent where there are none. */
  readonly tools?: BodyHash;
  /** Built-in tools that cannot work in this project; absent where all can. */
  readonly unusable?: readonly string[];
  /** It is one turn of the run above it. */
  readonly apart?: ApartTurn;
}

/** Another process drives the run from here on. */
export interface RunResumed {
  readonly kind: 'run.resumed';
  readonly epoch: number;
  /** The worker that drives it, as `troupe workers` lists it; absent where only this machine has the journal. */
  readonly worker?: string;
  /** The person who resumed it; absent if a process took it up by itself. */
  readonly by?: string;
  /** The sandbox of commands from here on. */
  readonly sandbox?: string;
  /** A person chose another sandbox than the run had until then. */
  readonly changed?: { readonly from: string; readonly by: string };
  /** How long there was work but no process to do it. */
  readonly downMs?: number;
  /** The tools that its agents may be offered, as the first worker that drives the run has them. */
  readonly tools?: BodyHash;
}

/** A person changed the terms of the run from here on. */
export interface TermsChanged {
  readonly kind: 'terms.changed';
  readonly terms: RunTerms;
  readonly by: string;
}

export interface RunSettled {
  readonly kind: 'run.settled';
  readonly outcome: Outcome;
  readonly output: Json;
  readonly failure: Failure | null;
}

export interface StateEntered {
  readonly kind: 'state.entered';
  readonly state: string;
  readonly visit: number;
  /** How it came here; null for the first state. */
  readonly from: { readonly state: string; readonly outcome: Outcome; readonly transition: number } | null;
  readonly patch: Patch | null;
}

export interface DataSet {
  readonly kind: 'data.set';
  readonly patch: Patch;
}

/** A fact with its place in the run's journal. */
export interface JournalRecord {
  readonly seq: number;
  /** Milliseconds since the epoch, given by the host's clock. */
  readonly at: number;
  readonly fact: Fact;
}
