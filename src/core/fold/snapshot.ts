import type { TurnProgress } from './turn-state.ts';
import type { AppendList } from '../model/append-list.ts';
import type { AgentSession, SlotState } from '../record/agent-fact.ts';
import type { ApartTurn } from '../record/apart-turn.ts';
import type { LeftTurn } from '../record/left-turn.ts';
import type { DeliveryFinished, DeliveryStarted, DeliveryState } from '../record/delivery-fact.ts';
import type {
  OpenConflicts,
  RefusedFiles,
  ProjectChanged,
  ProjectFiles,
  ProjectOrigin,
  RollbackStarted,
  RunForked,
  Unbegun,
} from '../record/files-fact.ts';
import type { ResolvedWork, RunStopping, ScriptResult } from '../record/task-fact.ts';
import type { LimitReached } from '../record/limit-fact.ts';
import type { BodyHash, RunId, TaskId, TreeId } from '../model/ids.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Message, ToolCall } from '../model/message.ts';
import type { Failure, Outcome } from '../model/outcome.ts';
import type { ProjectBrief } from '../model/project-brief.ts';
import type { FileMarks, QuestionAsked } from '../record/question-fact.ts';
import type { RunTerms } from '../model/run-terms.ts';
import type { UnmergedState } from '../record/unmerged-files.ts';
import type { CostUsd, Usage, Spent } from '../model/usage.ts';
import type { RunClock } from './run-clock.ts';
import type { Limits } from '../model/workflow.ts';

/** The state of a run: the fold of its facts, and all that the interpreter reads. */
export interface Snapshot {
  readonly run: RunId;
  readonly parent: RunId | null;
  readonly workflow: string;
  readonly definition: string;
  readonly project: string;
  readonly input: JsonObject;
  readonly status: 'running' | 'settled';
  /** Records folded so far. */
  readonly seq: number;
  readonly startedAt: number;
  readonly at: number;
  readonly data: JsonObject;
  readonly current: Current;
  /** How the state before this one ended; null in the first one. */
  readonly last: EndedState | null;
  readonly visits: Readonly<Record<string, number>>;
  /** States entered, in order. */
  readonly path: AppendList<string>;
  readonly contexts: Readonly<Record<string, Context>>;
  /** Windows that endpoints named when they refused a request, by model, in tokens. */
  readonly windows: Readonly<Record<string, number>>;
  readonly agents: Readonly<Record<string, AgentMemory>>;
  /** The agent that spoke last. */
  readonly lastAgent: string | null;
  /** The clients' own conversations, by agent. */
  readonly sessions: Readonly<Record<string, AgentSession>>;
  readonly childResult: Json;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly taskCount: number;
  readonly limits: Limits;
  /** A limit that was reached and waits for a person. Nothing new starts meanwhile. */
  readonly paused: Pause | null;
  /** Paused by a person, or by a failure that has to be fixed. */
  readonly held: Hold | null;
  /** Whether it may begin work; null where it needs no slot. */
  readonly slot: SlotState | null;
  /** Workers that share the journal drive it, and whichever is free may take a part of it. */
  readonly isOnWorkers: boolean;
  /** It is one turn of the run above it; `left`: how that turn ended. */
  readonly apart: (ApartTurn & { readonly models: readonly string[]; readonly left: LeftTurn | null }) | null;
  /** The runs below that are no units and have no slot, by the task they do or the name of a sub-agent. */
  readonly slotless: Readonly<Record<string, 'left' | 'wanted'>>;
  /** How long it has worked, waited for a person, and been paused. */
  readonly clock: RunClock;
  /** How the run settles once everything of it has stopped. */
  readonly stopping: RunStopping | null;
  /** How the run settles once its files are what they were before it. */
  readonly rollingBack: RollbackStarted | null;
  /** The project's files when the run began. */
  readonly files: ProjectFiles | null;
  /** How workers identify the project; null if the machine that has the project drives the run. */
  readonly origin: ProjectOrigin | null;
  /** Its needs of a worker since a person changed its definition; null if that did not change. */
  readonly needs: readonly string[] | null;
  /** The workspace its agents share. */
  readonly workspace: string;
  /** The files of every workspace, by name, as far as this run recorded them. */
  readonly workspaces: Readonly<Record<string, WorkspaceFiles>>;
  /** The tree that each step began with that has to change files, by state and agent. */
  readonly expected: Readonly<Record<string, TreeId>>;
  /** The resources leased to workspaces, by workspace and name. */
  readonly resources: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Tools that a person always allows, as `agent/tool`. */
  readonly permits: readonly string[];
  /** Every question it ever asked, by id, in order: the place in this list gives its short name. */
  readonly asked: AppendList<string>;
  /** The files that open approvals were asked for, by question. */
  readonly askedFor: Readonly<Record<string, AskedFiles>>;
  /** The files that a person approved last; null if the run has worked on since. */
  readonly approved: FileMarks | null;
  /** The last change of the user's own files. */
  readonly projectChange: (ProjectChanged & { readonly seq: number; readonly unverified?: string }) | null;
  /** Where its result waits for the user, if it was not put into the project. */
  readonly handed: HandedResult | null;
  /** The user's terms at the start. */
  readonly terms: RunTerms;
  /** The progress of its delivery. */
  readonly delivery: DeliveryState | null;
  /** A delivery that a person asked for and that is in progress or was interrupted. */
  readonly asking: DeliveryStarted | null;
  /** The person who discarded its result. */
  readonly discardedBy: string | null;
  /** The person who archived it. */
  readonly archivedBy: string | null;
  /** How often it was rolled back: work that is ordered again after that is not the same work. */
  readonly rewinds: number;
  readonly forkedFrom: RunForked['from'] | null;
  readonly sandbox: string | null;
  /** The project facts that its agents read. */
  readonly brief: ProjectBrief | null;
  /** The tools that its agents may be offered; null where there are none. */
  readonly tools: BodyHash | null;
  /** Built-in tools that cannot work in this project. */
  readonly unusable: readonly string[];
  /** Its cost, including what its children reported, without what a fork took over. */
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  /** The part of it that its next report to its parent names: all of it, or what it spent since a rollback. */
  readonly unreported: Spent;
  /** What child runs in progress have reported, by their names within the run. */
  readonly reported: Readonly<Record<TaskId, Spent>>;
  /** A fork: what the copied history cost the runs it comes from. */
  readonly inherited: Spent | null;
  readonly result: { readonly outcome: Outcome; readonly output: Json; readonly failure: Failure | null } | null;
  /** Failures on the way, including those that a retry or a handler resolved. */
  readonly failures: AppendList<NotedFailure>;
}

/** A failure on the way, where it arose. */
export interface NotedFailure extends ArisenFailure {
  readonly at: number;
  readonly state: string;
  readonly failure: Failure;
}

export interface HandedResult extends DeliveryFinished {
  readonly seq: number;
  /** The last lines of a refused check. */
  readonly printed?: string;
  /** The branch or the patch went when the result was discarded. */
  readonly isRemoved?: true;
  /** The branch or the patch that holds the same files, where a later delivery of them was refused. */
  readonly copy?: ResultCopy;
}

export interface ResultCopy extends Pick<DeliveryFinished, 'where' | 'unverified'> {
  readonly how: 'branch' | 'patch';
  readonly isRemoved?: true;
}

export interface Pause extends LimitReached {
  readonly since: number;
  /** The record of it, which makes its question different from the next one's. */
  readonly seq: number;
}

export interface Hold {
  readonly by: string;
  readonly reason: string;
  readonly since: number;
  /** The failure to fix before it continues. */
  readonly failure?: Failure;
  /** Work that was interrupted before it began. */
  readonly unbegun?: readonly Unbegun[];
}

export interface WorkspaceFiles {
  readonly tree: TreeId;
  readonly version: number;
  /** The tree it started with, or had at its last merge. */
  readonly base: TreeId;
  /** Conflicts that its author has to settle before it can be merged. */
  readonly open?: OpenConflicts;
  /** Why its files are no result. */
  readonly refused?: RefusedFiles;
  /** Its files that wait for a merge, if one will follow. */
  readonly unmerged?: UnmergedState;
  /** The run was rolled back to before it was created. */
  readonly isGone?: true;
}

/** The result of a state's work. */
export interface EndedState {
  readonly state: string;
  readonly outcome: Outcome;
  readonly output: Json;
  readonly failure: Failure | null;
}

export interface Current {
  readonly state: string;
  /** The entry script has run. */
  readonly entered: boolean;
  /** The task that carries the state's work. */
  readonly task: TaskId | null;
  readonly result: { readonly outcome: Outcome; readonly output: Json; readonly failure: Failure | null } | null;
  /** Answers of the isolate for expressions of this visit, by key. */
  readonly scripts: Readonly<Record<string, ScriptResult>>;
}

export interface Context {
  readonly messages: AppendList<Message>;
  readonly chars: number;
  readonly maxLength: number;
  /** Messages trimmed away so far. */
  readonly dropped: number;
  /** The same for agents whose conversation was compacted: its summary, and all messages since. */
  readonly views?: Readonly<Record<string, AppendList<Message>>>;
}

/** The part of an agent that scripts can read. */
export interface AgentMemory {
  readonly lastResponse: string;
  readonly toolCalls: readonly ToolCall[];
  readonly parsingCalls: readonly ToolCall[];
}

export interface Task {
  readonly id: TaskId;
  readonly state: string;
  readonly pool: TaskId | null;
  readonly unit: string | null;
  readonly work: ResolvedWork;
  readonly startedAt: number;
  readonly deadline: number | null;
  /** Why it was ordered to stop; it is still open because its child is. */
  readonly stopping: Failure | null;
  readonly turn: TurnProgress | null;
  /** A pool's units in the order they joined: see `UnitPages`. */
  readonly units: readonly (readonly Unit[])[] | null;
}

export interface Unit {
  readonly id: string;
  readonly after: readonly string[];
  readonly item: Json;
  readonly index: number;
  /** `resting`: it has no slot, because it waits for a person or a quota; `returning`: it requests one again. */
  readonly status: 'waiting' | 'running' | 'resting' | 'returning' | 'ended';
  readonly outcome: Outcome | null;
  readonly output: Json;
  readonly reason: string | null;
  readonly partOf?: string;
  /** There was nothing to do, so units that wait for it may start. */
  readonly isPassed?: true;
  /** Its result was offered to the pool's `grow`. */
  readonly grown: boolean;
  /** The unit of whose result the pool grew by this one. */
  readonly by?: string;
}

/** A failure, and the task that reported it first. */
export interface ArisenFailure {
  readonly failure: Pick<Failure, 'code' | 'message'>;
  /** Null if it arose in the run itself. */
  readonly task: string | null;
  /** The pool that the task is a unit of. */
  readonly pool: string | null;
}

/** The files that an open question is about. */
export interface AskedFiles {
  /** Those it was asked for, with later changes by allowed commands of the same message. */
  readonly files: FileMarks;
  /** The mark of those it was asked for, which an answer repeats. */
  readonly mark: string;
  /** Those that the run has recorded since, if something else changed them. */
  readonly since?: FileMarks;
  /** A yes to a command, until it is taken. */
  readonly kept?: NonNullable<QuestionAsked['refused']>;
  /** An answer was void, because the files had changed since the question was asked. */
  readonly isAgain: boolean;
}
