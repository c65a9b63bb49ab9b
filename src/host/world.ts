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
  /** By which name people know this process among those that share the journal; absent where none does. */
  readonly worker?: string;
  readonly engine: string;
  /** Values that are taken out of everything before it is written down or shown. */
  readonly secrets?: KnownSecrets;
  /** `actor`: the client that plays it, where the workflow or the user named one. */
  readonly actorFor: (role: Role, actor?: string) => Promise<Actor>;
  /** What agents need that are programs of their own. */
  readonly clients?: ClientServices;
  readonly tools: readonly Tool[];
  /** Loaded when the first script needs it. */
  readonly isolate: () => Promise<Isolate>;
  readonly workspaces: Workspaces;
  /** Where the engine keeps its own files. */
  readonly home?: string;
  /** The same world with another sandbox and with or without setup; itself where it has only one. */
  readonly under?: (wanted: RunConditions) => Promise<World>;
  /** Runs a command of an agent or of a workflow, kept in by whatever `sandbox` says. */
  readonly shell: Shell;
  /** What keeps commands in, for the journal; refuses where there is nothing of the kind the user wants. */
  readonly sandbox?: () => Promise<string>;
  /** Whether the sandbox can throw away by itself what a command wrote; else it runs on a copy. */
  readonly hasOverlay?: () => Promise<boolean>;
  /** The commands by which a project tests itself, where they are known. */
  readonly testCommands?: (project: string) => Promise<readonly string[]>;
  readonly formats: Formats;
  /** Where runs below others are driven; by this process where it is absent. */
  readonly placement?: Placement;
  /** Lent to tools, besides the shell. */
  readonly services?: Omit<ToolServices, 'shell'>;
  /** Waits until all of these are free, and has them until the release. */
  readonly holdResources?: (
    names: readonly string[],
    holder: string,
    signal: AbortSignal,
  ) => Promise<() => Promise<void>>;
}

/** What a run's own terms say about the world it works in. */
export interface RunConditions {
  /** A level or a wish; null for what this process would choose. */
  readonly sandbox: string | null;
  readonly setup: boolean;
}

/** What the families of workflows bring along for the host to perform. */
export interface Formats {
  /** By the names that lowered workflows use. */
  readonly program: (name: string) => Promise<EngineProgram | undefined>;
  /** What is wrong with a reply that the rules of a family will read; null where they can use it. */
  readonly replyProblem: (performance: Performance, reply: CheckedReply) => Promise<string | null>;
}

/** Decides something by code that is no part of a workflow file. It can be asked again: nothing it does counts before its answer is journaled. */
export type EngineProgram = (performance: Performance, effect: ComputeRun) => Promise<ProgramAnswer>;

export interface CheckedReply {
  /** Which family looks at it. */
  readonly check: string;
  readonly agent: string;
  readonly call: ToolCall;
}

export interface ProgramAnswer {
  readonly output: Json;
  /** Where its work `keeps` something: what that is from here on. Left out, it stays as it is. */
  readonly kept?: Json;
  /** True whatever becomes of the answer. */
  readonly facts?: readonly Noted[];
  readonly failure?: Failure;
}

export interface Placement {
  /** A run that is there and that no process drives. True: another process will; false: this one is to. Asked again after a crash. */
  offer(run: RunId): Promise<boolean>;
}

export interface ClientServices {
  /** Where structured replies are handed in; opened with the first turn that needs it. */
  readonly desks: () => Promise<DeskOffice>;
  /** A folder for an agent's settings and conversations, which no other agent gets to see; there when it is given. */
  readonly homeOf: (client: ClientOfAgent) => Promise<string>;
  /** By the kind of client. */
  readonly limitsOf: (kind: string) => ClientLimits;
  /** One for all runs of the process: an account is shared by all of them. */
  readonly breakers: Breakers;
  /** Ids for new conversations; random ones unless given. */
  readonly newSession?: () => string;
  /** Stores conversations where other machines can go on in them; absent where this one is alone. */
  readonly conversations?: Conversations;
  /** Keeps what a client said, word for word. */
  readonly keepLine?: (said: { readonly run: RunId; readonly task: TaskId; readonly line: string }) => void;
}

export interface Conversations {
  /** Stores a conversation as it is now; null where that cannot be. */
  keep(conversation: ClientConversation, redact: (text: string) => string): Promise<KeptConversation | null>;
  /** Puts the stored one into the client's home, unless the home holds it, or what followed on it there. */
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
  /** Calls back once in a moment that is too short to count; in some milliseconds of real time where it is absent. */
  soon?(ring: () => void): () => void;
}

/** What an effect is carried out with. */
export interface Performance {
  readonly world: World;
  readonly isolate: () => Promise<Isolate>;
  readonly run: RunId;
  readonly definition: Definition;
  /** Where the run stood when the effect was ordered. */
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
  /** The effect was announced by a process that died before it was answered: it may have happened. */
  readonly isRepeat: boolean;
  /**
   * The last thing before it happens; from here on it may have happened. What is interrupted before is not repeated when it is done later.
   * LEASE_LOST where another process drives the run by now: what it did must not be done again. A `request` changes nothing by
   * itself, so it is waited for also while this process is cut off from the journal.
   */
  readonly begin: (what?: 'request') => Promise<void> | undefined;
  readonly onText: (delta: string) => void;
  /** Writes down what leaves. */
  readonly sent: SentLog;
  /** What all agents of the tree of runs read first. */
  readonly sharedText: () => Promise<string>;
  /** Starts a run below this one, or goes on with it after a crash, and waits for what it comes to. */
  readonly startBelow: (order: BelowOrder) => Promise<ChildSettled>;
  readonly places: Places;
  /** Goes into the journal with what the effect comes to, and also when nobody hears of that any more. */
  readonly note: (fact: Noted) => void;
  /** Goes into the journal at once: resolves when it is durable. */
  readonly noteNow: (fact: Noted) => Promise<void>;
  /**
   * Keeps other processes out of a workspace in which their runs meet this one, until what the effect comes to is durable. True
   * where others may have changed it before.
   */
  readonly reserve: (workspace: string) => Promise<boolean>;
  /** Lets other processes into a workspace that the effect left as it was. */
  readonly unreserve: (workspace: string) => Promise<void>;
  /** Writes down what is done to the user's own files; resolves when it is durable. */
  readonly noteProject: (fact: ProjectChanged) => Promise<void>;
  /** A client wants to use one of its own tools: a person decides, unless one has already. */
  readonly askPermission: (call: ToolCall) => Promise<boolean>;
}

export interface BelowOrder {
  readonly task: TaskId;
  readonly input: JsonObject;
  readonly definition: () => Definition;
  /** Where its agents work. */
  readonly workspace: (run: RunId) => string;
}
