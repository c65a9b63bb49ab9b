import type { RequestSize } from '../record/compaction-fact.ts';
import type { DeliveryFailed, DeliveryFinished } from '../record/delivery-fact.ts';
import type { Noted, ProjectChanged, Unbegun } from '../record/files-fact.ts';
import type { CallAnswered, CallFailed, ToolFinished } from '../record/call-fact.ts';
import type { NewUnit, ScriptEvaluated } from '../record/task-fact.ts';
import type { LeftTurn } from '../record/left-turn.ts';
import type { LimitName, SharedLimit } from '../record/limit-fact.ts';
import type { TaskId } from './ids.ts';
import type { Json } from './json.ts';
import type { ToolCall } from './message.ts';
import type { Failure, Outcome } from './outcome.ts';
import type { FileMarks, QuestionAnswered } from '../record/question-fact.ts';
import type { RunTerms } from './run-terms.ts';
import type { SlotState } from '../record/agent-fact.ts';
import type { WorkspaceFiles } from '../fold/snapshot.ts';
import type { CostUsd, Spent, Usage } from './usage.ts';

/** Input of the interpreter from outside. One at a time, in an order that the journal keeps. */
export type Event =
  | CallAnswered
  | Omit<CallFailed, 'retryAt'>
  | ToolFinished
  | RequestFull
  | ScriptEvaluated
  | TaskDone
  | ChildSettled
  | ChildSpent
  /** The run above changes what this run may spend, counted like what it reports. */
  | { readonly kind: 'limit.share'; readonly limit: SharedLimit; readonly allowed: number }
  | { readonly kind: 'units.offered'; readonly task: TaskId; readonly units: readonly NewUnit[] }
  /** A client asks whether it may use one of its built-in tools. A repeated request has the same id. */
  | PermissionWanted
  /** The files that an approval is asked for. */
  | { readonly kind: 'question.looked'; readonly question: string; readonly files: FileMarks }
  /** A child run released its slot, or requests one again. `child`: the task it does, or the name of a sub-agent. */
  | { readonly kind: 'child.slot'; readonly child: TaskId; readonly to: 'left' | 'wanted' }
  /** The run's own slot changes. */
  | { readonly kind: 'slot.move'; readonly to: SlotState }
  /** A child run started or stopped waiting for a person. */
  | { readonly kind: 'child.waits'; readonly child: TaskId; readonly isWaiting: boolean }
  | { readonly kind: 'timer.fired'; readonly timer: string }
  /** `mark`: the files it was given for; `files`: those there are now. */
  | (QuestionAnswered & { readonly files?: FileMarks })
  | { readonly kind: 'limit.raise'; readonly limit: LimitName; readonly allowed: number; readonly by: string }
  | { readonly kind: 'terms.change'; readonly terms: RunTerms; readonly by: string }
  | { readonly kind: 'run.cancel'; readonly by: string; readonly reason: string }
  /** A person sends a message to an agent. */
  | RemarkSent
  | RunPause
  | { readonly kind: 'run.continue'; readonly by: string }
  /** Notes about the work that ends in the same moment. */
  | { readonly kind: 'world.noted'; readonly facts: readonly Noted[] }
  | { readonly kind: 'rollback.done'; readonly failure: Failure | null }
  /** The user's own files are being changed, or were, on the run's account. */
  | { readonly kind: 'project.noted'; readonly fact: ProjectChanged }
  | { readonly kind: 'delivery.done'; readonly fact: DeliveryFinished | DeliveryFailed };

/** `files`: those it is asked for. */
export interface PermissionWanted {
  readonly kind: 'permission.wanted';
  readonly task: TaskId;
  readonly call: ToolCall;
  readonly files?: FileMarks;
}

/** A request was not sent, because it nears the window of its model or would not fit. */
export interface RequestFull {
  readonly kind: 'request.full';
  readonly task: TaskId;
  readonly call: number;
  readonly attempt: number;
  readonly size: RequestSize;
}

export interface RemarkSent {
  readonly kind: 'agent.told';
  readonly agent: string;
  readonly text: string;
  readonly by: string;
}

/** `failure`: the engine itself cannot continue until somebody fixes it. */
export interface RunPause {
  readonly kind: 'run.pause';
  readonly by: string;
  readonly reason: string;
  readonly failure?: Failure;
  /** Work that was interrupted before it began. */
  readonly unbegun?: readonly Unbegun[];
}

/** A command or a merge came back, or a child run could not be started. */
export interface TaskDone extends WorkResult {
  readonly kind: 'task.done';
  readonly task: TaskId;
  /** The new state of its program. */
  readonly kept?: Json;
}

/** All that a child run in progress has spent. `wants`: it stopped because its share is spent. */
export interface ChildSpent extends Spent {
  readonly kind: 'child.spent';
  readonly child: TaskId;
  readonly wants?: { readonly limit: SharedLimit; readonly allowed: number };
}

/** A child run is over. */
export interface ChildSettled extends WorkResult {
  readonly kind: 'child.settled';
  readonly child: TaskId;
  /** Found in the journal: its cost was reported before. */
  readonly isFound?: true;
  /** The workspaces it knows: its parent may share them. */
  readonly workspaces: Readonly<Record<string, WorkspaceFiles>>;
  /** It was a turn of the run above. */
  readonly left?: LeftTurn;
}

export interface WorkResult {
  readonly outcome: Outcome;
  readonly output: Json;
  readonly failure: Failure | null;
  readonly usage?: Usage;
  readonly costUsd?: CostUsd;
}
