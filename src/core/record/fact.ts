import type { FaultCode } from '../codes/codes.ts';
import type { AgentFact, Demand, Evidence } from './agent-fact.ts';
import type { OwedOutput } from './artifact-fact.ts';
import type { CompactionFact, RequestSize } from './compaction-fact.ts';
import type { DecisionFact, DeliveryFact } from './delivery-fact.ts';
import type { FilesFact, ProjectFiles, ProjectOrigin } from './files-fact.ts';
import type { BodyHash, RunId, TaskId } from '../model/ids.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import type { Failure, Outcome } from '../model/outcome.ts';
import type { OwedChanges } from '../step/turn/owed-changes.ts';
import type { ProjectBrief } from '../model/project-brief.ts';
import type { Patch } from './patch.ts';
import type { Approves, QuestionAnswered } from './question-fact.ts';
import type { RunTerms } from '../model/run-terms.ts';
import type { SentRequest } from './sent-request.ts';
import type { CostUsd, Usage } from '../model/usage.ts';
import type { CommandSettings, Limits, ReplyCheckName } from '../model/workflow.ts';

/**
 * What happened, as it stands in the journal. Facts carry what was decided, so folding them evaluates nothing.
 * Written for ever: a fact is never changed, only new kinds or optional fields are added.
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
  | FilesFact
  | DeliveryFact
  | DecisionFact
  | AgentFact
  | CompactionFact
  | TermsChanged
  | { readonly kind: 'limit.raised'; readonly limit: LimitName; readonly allowed: number; readonly by: string }
  | QuestionAnswered;

export interface MessageAdded {
  readonly kind: 'message.added';
  readonly context: string;
  readonly message: Message;
  /** The person who said it. */
  readonly by?: string;
  /** The turn it was said into the middle of: it is heard with the next call, or joins the context with the turn. */
  readonly task?: TaskId;
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
  readonly contexts: readonly {
    readonly name: string;
    readonly messages: readonly Message[];
    readonly maxLength: number;
  }[];
  readonly limits: Limits;
  /** The project the run was started in. */
  readonly project: string;
  /** Its files at that moment; absent where no agent can touch files. */
  readonly files?: ProjectFiles;
  /** Where workers drive it: they open the project by this and never by its path. Absent in runs below, which have that of their root. */
  readonly origin?: ProjectOrigin;
  /** The workspace that agents share unless they have one of their own; `main` where it is not said. */
  readonly workspace?: string;
  /** What keeps commands in: the level that was found to work, or was chosen. */
  readonly sandbox?: string;
  /** What its agents read about the project; absent where no agent can touch files, and in runs below another one. */
  readonly brief?: ProjectBrief;
  /** What the user asked for when it started; absent in runs below another one, which have those of their root. */
  readonly terms?: RunTerms;
  /** Another process than the one that began it drives it: until it was taken over, nothing of it has happened. */
  readonly isOffered?: true;
  /** What the worker that drives it has to offer, such as `label gpu`; absent in runs below another one, which have that of their root. */
  readonly needs?: readonly string[];
  /** Of queued runs, those with a lower one go first; 100 where it is absent. */
  readonly priority?: number;
  /** It is below a unit of a pool, and works in its slot. */
  readonly slot?: 'given' | 'left';
  /** The tools that its agents may be offered, in the journal's store; absent where there are none. */
  readonly tools?: BodyHash;
  /** Built-in tools that cannot work in this project; absent where all can. */
  readonly unusable?: readonly string[];
}

/** Another process drives the run from here on. */
export interface RunResumed {
  readonly kind: 'run.resumed';
  readonly epoch: number;
  /** The worker that drives it, as `troupe workers` lists it; absent where only this machine has the journal. */
  readonly worker?: string;
  /** The person who let it go on; absent where a process took it up by itself. */
  readonly by?: string;
  /** What keeps commands in from here on. */
  readonly sandbox?: string;
  /** A person chose another sandbox than the run had until then. */
  readonly changed?: { readonly from: string; readonly by: string };
  /** How long there was work and no process for it. */
  readonly downMs?: number;
}

/** A person changed what the run keeps to from here on. */
export interface TermsChanged {
  readonly kind: 'terms.changed';
  readonly terms: RunTerms;
  readonly by: string;
}

/** The run is being ended from outside; it settles like this when nothing of it is under way any more. */
export interface RunStopping {
  readonly kind: 'run.stopping';
  readonly outcome: Outcome;
  readonly failure: Failure;
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

export interface TaskStarted {
  readonly kind: 'task.started';
  readonly task: TaskId;
  readonly state: string;
  /** The pool it belongs to, and which unit of it. */
  readonly pool: TaskId | null;
  readonly unit: string | null;
  readonly work: ResolvedWork;
  readonly deadline: number | null;
}

/** Work with every expression evaluated. */
export type ResolvedWork =
  | {
      readonly kind: 'turn';
      readonly agent: string;
      readonly context: string;
      readonly input: string | null;
      /** What the engine says where the turn has no input and the agent spoke last: models do not answer themselves. */
      readonly opening?: string;
      /** Who plays the agent, where that was known only now: a model, a level or a client. */
      readonly model?: string;
      readonly step?: string;
      readonly evidence?: Demand;
      readonly outputs?: readonly OwedOutput[];
      /** The structured replies that end the turn, where text alone does not. */
      readonly reply?: readonly string[];
      readonly replyWords?: readonly string[];
      readonly check?: ReplyCheckName;
      readonly allowed?: Readonly<Record<string, readonly string[]>>;
      readonly changes?: OwedChanges;
    }
  | { readonly kind: 'tell'; readonly agent: string; readonly context: string; readonly input: string }
  | { readonly kind: 'clear'; readonly agent: string; readonly context: string }
  | (CommandSettings & { readonly kind: 'command'; readonly command: string; readonly okExitCodes: readonly number[] })
  | { readonly kind: 'call'; readonly workflow: string; readonly input: JsonObject; readonly workspace?: 'own' }
  | {
      readonly kind: 'ask';
      readonly question: string;
      readonly choices: readonly string[];
      readonly approves?: Approves;
    }
  | { readonly kind: 'wait'; readonly until: number }
  | {
      readonly kind: 'merge';
      readonly agent: string | null;
      readonly unit?: string;
      readonly verify?: readonly string[];
      readonly checks?: readonly string[];
      readonly protect?: readonly string[];
    }
  | {
      readonly kind: 'compute';
      readonly program: string;
      readonly input: Json;
      readonly agent?: string;
      readonly keeps?: string;
    }
  | { readonly kind: 'pool' };

/** A child run was told to stop; the task ends with this failure as soon as the child has settled, so that nothing it spent is lost. */
export interface TaskStopping {
  readonly kind: 'task.stopping';
  readonly task: TaskId;
  readonly failure: Failure;
}

export interface TaskEnded {
  readonly kind: 'task.ended';
  readonly task: TaskId;
  readonly outcome: Outcome;
  readonly output: Json;
  readonly failure: Failure | null;
  /** How it changed the run's data: what a program keeps. */
  readonly patch?: Patch;
  /** What a child run used. */
  readonly usage?: Usage;
  readonly costUsd?: CostUsd;
}

/** A further model call of a turn; the first one is announced by `task.started`. */
export interface CallStarted {
  readonly kind: 'call.started';
  readonly task: TaskId;
  readonly call: number;
}

export interface CallAnswered {
  readonly kind: 'call.answered';
  readonly task: TaskId;
  readonly call: number;
  readonly attempt: number;
  readonly message: Message;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  readonly model: string;
  readonly ms: number;
  /** Calls whose arguments did not fit their schema, with what is wrong. */
  readonly rejected?: Readonly<Record<string, string>>;
  /** Judgements that fit and cannot be used as they are, with what is wrong: sent back to be corrected, once. */
  readonly returned?: Readonly<Record<string, string>>;
  /** Signals that fit but do not hold, with what is missing. */
  readonly refused?: Readonly<Record<string, string>>;
  /** What was seen when a signal was checked. */
  readonly evidence?: readonly Evidence[];
  /** The message is the summary that was asked for, or a part of it. */
  readonly summary?: SummaryPart;
  /** What was asked; absent where nothing left this process. */
  readonly sent?: SentRequest;
}

export interface SummaryPart {
  /** Messages that it does not cover yet, counted from the newest. */
  readonly left: number;
  /** With the last part: what the engine sees for itself. */
  readonly notes?: string;
}

/** A further attempt of a call. */
export interface CallRetried {
  readonly kind: 'call.retried';
  readonly task: TaskId;
  readonly call: number;
  readonly attempt: number;
  /** The run may make no call now: it is made when the run goes on. */
  readonly isHeld?: true;
}

export interface CallFailed {
  readonly kind: 'call.failed';
  readonly task: TaskId;
  readonly call: number;
  readonly attempt: number;
  readonly failure: Failure;
  /** When the next try starts; null when there is none. */
  readonly retryAt: number | null;
  /** What it cost all the same. */
  readonly spent?: { readonly usage: Usage; readonly costUsd: CostUsd; readonly model?: string };
  /** The request was larger than the window: what is known of both since then. */
  readonly size?: RequestSize;
  /** What was asked; absent where nothing left this process. */
  readonly sent?: SentRequest;
}

export interface ToolFinished {
  readonly kind: 'tool.finished';
  readonly task: TaskId;
  readonly toolCall: string;
  readonly content: string;
  readonly isError: boolean;
  readonly ms: number;
  /** On a parsing call: taken as the answer, or sent back because it did not fit its schema. */
  readonly accepted?: boolean;
  /** The engine or a person did not let it happen; the code says why. */
  readonly refused?: FaultCode;
  /** How often it was tried, where it failed at first for a passing reason. */
  readonly tries?: number;
  /** What a sub-agent used. */
  readonly spent?: { readonly usage: Usage; readonly costUsd: CostUsd };
}

/** The isolate answered. `key` says for which expression of the present state. */
export interface ScriptEvaluated {
  readonly kind: 'script.evaluated';
  readonly key: string;
  readonly result: ScriptResult;
}

export type ScriptResult =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'patch'; readonly patch: Patch }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface UnitsAdded {
  readonly kind: 'units.added';
  readonly task: TaskId;
  /** The unit that brought them; null for those the pool began with or that came from outside. */
  readonly by: string | null;
  readonly units: readonly NewUnit[];
}

export interface NewUnit {
  readonly id: string;
  readonly after: readonly string[];
  readonly item: Json;
  /** A unit this one does a part of: whoever waits for that one waits for this one too. */
  readonly partOf?: string;
}

/** A unit that ended without ever having a task: skipped or cancelled while it waited. */
export interface UnitEnded {
  readonly kind: 'unit.ended';
  readonly task: TaskId;
  readonly unit: string;
  readonly outcome: Outcome;
  readonly reason: string;
}

export type LimitName = 'iterations' | 'toolRounds' | 'durationMs' | 'tokens' | 'usd';

export interface LimitReached {
  readonly kind: 'limit.reached';
  readonly limit: LimitName;
  readonly allowed: number;
  readonly used: number;
  /** The state that would have been entered, or in which the limit was met. */
  readonly state: string;
  /** A price is not known, so what was spent is not either. */
  readonly isUnknown?: true;
}

/** A fact with its place in the run's journal. */
export interface JournalRecord {
  readonly seq: number;
  /** Milliseconds since the epoch, given by the host's clock. */
  readonly at: number;
  readonly fact: Fact;
}
