import type { TaskId, TreeId } from '../model/ids.ts';
import type { Json } from '../model/json.ts';
import type { ToolCall } from '../model/message.ts';
import type { Usage } from '../model/usage.ts';

/** Facts about an agent that is its own program, besides the noted ones. Part of the closed list of facts. */
export type AgentFact = TurnNudged | UnitMoved | SlotMoved | ChildWait;

/**
 * The client's conversation that a turn continues. Recorded before it is needed: before the program starts if the engine
 * chooses the id, else with its first message.
 */
export interface SessionNoted {
  readonly kind: 'session.noted';
  readonly task: TaskId;
  readonly agent: string;
  /** The kind of client it belongs to; no other kind can continue it. */
  readonly actor: string;
  readonly session: string;
  readonly how: 'new' | 'resumed' | 'forked';
}

/** The client's conversation after a call, stored where other machines can continue it. */
export interface SessionKept {
  readonly kind: 'session.kept';
  readonly task: TaskId;
  readonly agent: string;
  readonly session: string;
  /** Null if it could not be stored: on another machine the agent starts a new conversation with the full context. */
  readonly conversation: KeptConversation | null;
}

export interface KeptConversation {
  /** A body of the shared store. */
  readonly body: string;
  readonly bytes: number;
}

/**
 * A client's structured reply was checked and accepted. Recorded before the client is answered (A8): if the process then
 * dies, the run continues with this reply and these files, and does not ask the client again.
 */
export interface ReplyAccepted {
  readonly kind: 'reply.accepted';
  readonly task: TaskId;
  readonly call: number;
  readonly attempt: number;
  readonly reply: ToolCall;
  readonly evidence: readonly Evidence[];
  /** The files it was accepted with; null for an agent that writes none. */
  readonly tree: TreeId | null;
}

export type AcceptedReply = Omit<ReplyAccepted, 'kind' | 'task'>;

/** What the program reports of its turn: its tools, its own sub-agents, its waits. */
export interface ActivityNoted {
  readonly kind: 'activity.noted';
  readonly task: TaskId;
  readonly items: readonly Activity[];
}

export interface Activity {
  /** A later report on the same activity has the same id. */
  readonly id: string;
  readonly kind: 'tool' | 'minion' | 'retry' | 'notice';
  readonly name: string;
  readonly status: 'running' | 'ok' | 'failed' | 'denied';
  /** The minion in which it happened. */
  readonly parent?: string;
  /** A line for people: a command, a path, a reason. */
  readonly text?: string;
  /** On a structured reply that was not accepted: the reply. The text says why. */
  readonly handed?: Json;
  /** It was sent back for correction, and counts if nothing better follows. */
  readonly isReturned?: true;
  /** Of a minion, if the client reports it: already included in the turn's usage. */
  readonly usage?: Usage;
}

/** The agent ended without the structured reply it owes, or without a changed file; the engine says so, once each. */
export interface TurnNudged {
  readonly kind: 'turn.nudged';
  readonly task: TaskId;
  readonly text: string;
  readonly why?: 'NO_CHANGES';
}

/**
 * The run below that does a task, or one tool call of a turn, waits for a person, or goes on: then this run does, too, where it
 * has nothing else to do.
 */
export type ChildWait = ({ readonly kind: 'wait.started' } | { readonly kind: 'wait.ended' }) & {
  readonly task: TaskId;
  readonly toolCall?: string;
};

/** The run's slot, or that of a run below it that is no unit, was released, is requested again, or was assigned. */
export interface SlotMoved {
  readonly kind: 'slot.moved';
  readonly child?: TaskId;
  readonly to: SlotState;
}

/** A unit that waits for a person or a quota released its slot, requests one again, or got it. */
export interface UnitMoved {
  readonly kind: 'unit.moved';
  readonly task: TaskId;
  readonly unit: string;
  readonly to: 'resting' | 'returning' | 'running';
}

/** What the engine checked itself before it accepted a signal (L4). */
export type Evidence =
  | { readonly kind: 'file'; readonly path: string; readonly isThere: boolean }
  | { readonly kind: 'tree'; readonly tree: string }
  /** On work that must change files; `reason` is why the agent says that no change is needed. */
  | { readonly kind: 'changes'; readonly since: TreeId; readonly isChanged: boolean; readonly reason?: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly exitCode: number | null;
      readonly output: string;
      readonly ms: number;
    };

/** Evidence that must be found. */
export interface Demand {
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

/** A client's own session, as far as it is known. */
export interface AgentSession {
  readonly actor: string;
  readonly id: string;
  readonly context: string;
  /** How many messages of the context it has received, counted from the very first. */
  readonly seen: number;
  /** The turn it was last used in. */
  readonly lastTask: TaskId;
  /** It belongs to the run this one was forked from: the client must copy it before anything is said. */
  readonly isOfOther?: true;
  /** The newest one that is stored for other machines; absent where none is. */
  readonly kept?: KeptConversation;
}

/** A sub-agent that a client started by itself (Q8). */
export interface Minion {
  readonly name: string;
  readonly status: Activity['status'];
  readonly text?: string;
  readonly usage?: Usage;
}

/**
 * Whether a run may start work. A unit of a pool works in its slot, and so does every run below it. A run that waits for a
 * person or for a long time releases its slot (`left`), reports that to its parent, and requests one (`wanted`) before it
 * starts work again. A parent without a slot requests one from its own parent first. Runs that are not below a unit need
 * none.
 */
export type SlotState = 'given' | 'left' | 'wanted';
