import type { ClientConversation } from '../actors/clients/conversation-files.ts';
import type { Actor, ClientLimits } from '../actors/port.ts';
import type { Isolate } from '../actors/script/port.ts';
import type { KeptConversation } from '../core/record/agent-fact.ts';
import type { ComputeRun } from '../core/model/effect.ts';
import type { ChildSettled } from '../core/model/event.ts';
import type { Noted, ProjectChanged } from '../core/record/files-fact.ts';
import type { RunId, TaskId } from '../core/model/ids.ts';
import type { Json, JsonObject } from '../core/model/json.ts';
import type { ToolCall } from '../core/model/message.ts';
import type { Failure } from '../core/model/outcome.ts';
import type { Role } from '../core/model/role.ts';
import type { Definition } from '../core/model/definition.ts';
import type { Snapshot } from '../core/fold/snapshot.ts';
import type { Journal } from '../journal/port.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import type { Tool, ToolServices } from '../tools/port.ts';
import type { Shell } from '../tools/shell.ts';
import type { Workspaces } from '../workspace/port.ts';
import type { DeskOffice } from './desk/port.ts';
import type { Breakers } from './perform/turn/breakers.ts';
import type { Places } from './perform/files/places.ts';
import type { SentLog } from './sent/sent-log.ts';

/** The world is a parameter: a test builds one, the command line builds the real one. */
export interface World {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Fresh run ids. */
  readonly newRunId: () => RunId;
  /** Who holds leases in this process. */
  readonly owner: string;
  /** The name of this process among those that share the journal; absent if none does. */
  readonly worker?: string;
  readonly engine: string;
  /** Values that are removed from everything before it is recorded or shown. */
  readonly secrets?: KnownSecrets;
  /** `actor`: the client that plays it, if the workflow or the user named one. */
  readonly actorFor: (role: Role, actor?: string) => Promise<Actor>;
  /** What agents that are their own programs need. */
  readonly clients?: ClientServices;
  readonly tools: readonly Tool[];
  /** Loaded when the first script needs it. */
  readonly isolate: () => Promise<Isolate>;
  readonly workspaces: Workspaces;
  /** Where the engine keeps its own files. */
  readonly home?: string;
  /** The same world with a different sandbox and with or without setup; itself if it has only one. */
  readonly under?: (conditions: RunConditions) => Promise<World>;
  /** Runs a command of an agent or of a workflow in the sandbox. */
  readonly shell: Shell;
  /** The sandbox of commands, for the journal; throws if the one the user wants is unavailable. */
  readonly sandbox?: () => Promise<string>;
  /** Whether the sandbox can discard what a command wrote; otherwise the command runs on a copy. */
  readonly hasOverlay?: () => Promise<boolean>;
  /** The commands that test a project, if known. */
  readonly testCommands?: (project: string) => Promise<readonly string[]>;
  readonly formats: Formats;
  /** Where child runs are driven. Default: in this process. */
  readonly placement?: Placement;
  /** Lent to tools, besides the shell. */
  readonly services?: Omit<ToolServices, 'shell'>;
  /** Waits until all of these are free, and holds them until the release. */
  readonly holdResources?: (
    names: readonly string[],
    holder: string,
    signal: AbortSignal,
  ) => Promise<() => Promise<void>>;
}

/** A run's terms about the world it works in. */
export interface RunConditions {
  /** A level or a request; null for this process's default. */
  readonly sandbox: string | null;
  readonly setup: boolean;
}

/** What the families of workflows provide for the host to perform. */
export interface Formats {
  /** By the names that lowered workflows use. */
  readonly program: (name: string) => Promise<EngineProgram | undefined>;
  /** The mistake in a reply that the rules of a family will read; null if they can use it. */
  readonly replyProblem: (context: EffectContext, reply: CheckedReply) => Promise<string | null>;
}

/** Decides something by code that is no part of a workflow file. It can be called again: nothing counts before its answer is journaled. */
export type EngineProgram = (context: EffectContext, effect: ComputeRun) => Promise<ProgramAnswer>;

export interface CheckedReply {
  /** The family that checks it. */
  readonly check: string;
  readonly agent: string;
  readonly call: ToolCall;
}

export interface ProgramAnswer {
  readonly output: Json;
  /** If its work has a `keeps`: the new state. Left out, it does not change. */
  readonly kept?: Json;
  /** True whether or not the answer counts. */
  readonly facts?: readonly Noted[];
  readonly failure?: Failure;
}

export interface Placement {
  /**
   * A run that exists and that no process drives. True: another process will drive it; false: this one should. Called
   * again after a crash.
   */
  offer(run: RunId): Promise<boolean>;
}

export interface ClientServices {
  /** Where structured replies are submitted; opened with the first turn that needs it. */
  readonly desks: () => Promise<DeskOffice>;
  /** A private folder for an agent's settings and conversations, which exists when it is returned. */
  readonly homeOf: (client: ClientOfAgent) => Promise<string>;
  /** By the kind of client. */
  readonly limitsOf: (kind: string) => ClientLimits;
  /** One for all runs of the process: an account is shared by all of them. */
  readonly breakers: Breakers;
  /** Ids for new conversations. Default: random ones. */
  readonly newSession?: () => string;
  /** Stores conversations where other machines can continue them; absent if there are no others. */
  readonly conversations?: Conversations;
  /** Keeps a client's output, word for word. */
  readonly keepLine?: (said: { readonly run: RunId; readonly task: TaskId; readonly line: string }) => void;
}

export interface Conversations {
  /** Stores the current conversation; null if that is impossible. */
  keep(conversation: ClientConversation, redact: (text: string) => string): Promise<KeptConversation | null>;
  /** Puts the stored one into the client's home, unless the home has it or a continuation of it. */
  bring(conversation: ClientConversation, kept: KeptConversation | null): Promise<BroughtConversation>;
}

export type BroughtConversation =
  | { readonly kind: 'here' }
  /** From a machine on which the workspace was in this folder. */
  | { readonly kind: 'brought'; readonly folder: string }
  | { readonly kind: 'gone' };

/** One agent of a run, and the kind of client that plays it. */
export interface ClientOfAgent {
  readonly run: RunId;
  readonly agent: string;
  readonly kind: string;
}

export interface Clock {
  now(): number;
  /** Calls back once, at or after `at`; returns the undo. */
  alarm(at: number, ring: () => void): () => void;
  /** Calls back once after a negligible time; by default after some milliseconds of real time. */
  soon?(ring: () => void): () => void;
  /** Undefined while the event loop is free enough; else resolves in a later turn of it. Absent where time is simulated. */
  readonly pause?: () => Promise<void> | undefined;
}

/** What performing an effect needs. */
export interface EffectContext {
  readonly world: World;
  isolate(): Promise<Isolate>;
  readonly run: RunId;
  readonly definition: Definition;
  /** The snapshot when the effect was ordered. */
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
  /** The effect was announced by a process that died before it was answered: it may have happened. */
  readonly isRepeat: boolean;
  /**
   * Called last before it happens; from here on it may have happened. Work interrupted before this point is not a repetition
   * when it is done later. LEASE_LOST if another process drives the run by now: its work must not be repeated. A `request`
   * changes nothing by itself, so it is awaited even while this process is cut off from the journal.
   */
  begin(what?: 'request'): Promise<void> | undefined;
  onText(delta: string): void;
  /** Records requests as they leave. */
  readonly sent: SentLog;
  /** The text that all agents of the tree of runs read first. */
  sharedText(): string | Promise<string>;
  /** Starts a child run, or continues it after a crash, and waits for its result. */
  startBelow(order: BelowOrder): Promise<ChildSettled>;
  readonly places: Places;
  /** Recorded with the result of the effect, and also if that result no longer counts. */
  note(fact: Noted): void;
  /** Goes into the journal at once: resolves when it is durable. */
  noteNow(fact: Noted): Promise<void>;
  /**
   * Keeps other processes out of a workspace in which their runs meet this one, until the result of the effect is durable.
   * True if others may have changed it before.
   */
  reserve(workspace: string): Promise<boolean>;
  /** Lets other processes into a workspace that the effect did not change. */
  unreserve(workspace: string): Promise<void>;
  /** Records changes to the user's own files; resolves when they are durable. */
  noteProject(fact: ProjectChanged): Promise<void>;
  /** A client wants to use a built-in tool: a person decides, unless one already has. */
  askPermission(call: ToolCall): Promise<boolean>;
}

export interface BelowOrder {
  readonly task: TaskId;
  readonly input: JsonObject;
  readonly definition: () => Definition;
  /** Where its agents work. */
  readonly workspace: (run: RunId) => string;
}
