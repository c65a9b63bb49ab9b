import type { TaskId, TreeId } from '../model/ids.ts';
import type { Json } from '../model/json.ts';
import type { ToolCall } from '../model/message.ts';
import type { Usage } from '../model/usage.ts';

/** What happened around an agent that is a program of its own, besides what is only noted. Part of the closed list of facts. */
export type AgentFact = TurnNudged | UnitMoved | SlotMoved | ChildWait;

/**
 * The client's own conversation that a turn goes on in. Written down before it is needed: where the engine chooses the id,
 * before the program starts; else with the first thing it says.
 */
export interface SessionNoted {
  readonly kind: 'session.noted';
  readonly task: TaskId;
  readonly agent: string;
  /** The kind of client it belongs to; another kind cannot go on in it. */
  readonly actor: string;
  readonly session: string;
  readonly how: 'new' | 'resumed' | 'forked';
}

/** The client's conversation as it is after a call, stored where other machines can go on in it. */
export interface SessionKept {
  readonly kind: 'session.kept';
  readonly task: TaskId;
  readonly agent: string;
  readonly session: string;
  /** Null where it could not be stored: elsewhere the agent begins a new conversation, and is told all. */
  readonly conversation: KeptConversation | null;
}

export interface KeptConversation {
  /** A body of the shared store. */
  readonly body: string;
  readonly bytes: number;
}

/**
 * A client's structured reply was checked and accepted. Written down before the client hears so (A8): a process that dies
 * after that goes on with this reply and these files, and does not ask the client again.
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

/** What the program did in its turn, as far as it tells: its tools, its own sub-agents, its waits. */
export interface ActivityNoted {
  readonly kind: 'activity.noted';
  readonly task: TaskId;
  readonly items: readonly Activity[];
}

export interface Activity {
  /** The same thing is told again under the same id when it has moved on. */
  readonly id: string;
  readonly kind: 'tool' | 'minion' | 'retry' | 'notice';
  readonly name: string;
  readonly status: 'running' | 'ok' | 'failed' | 'denied';
  /** The minion in which it happened. */
  readonly parent?: string;
  /** A line for people: a command, a path, a reason. */
  readonly text?: string;
  /** Of a structured reply that was not taken: what was handed in. The text says why. */
  readonly handed?: Json;
  /** It was sent back to be corrected, and counts where nothing better follows. */
  readonly isReturned?: true;
  /** Of a minion, where the client tells: counted in the turn's own usage already. */
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

/** The run's own slot, or that of a run below it which is no unit, was given away, is wanted again, or is there again. */
export interface SlotMoved {
  readonly kind: 'slot.moved';
  readonly child?: TaskId;
  readonly to: SlotState;
}

/** A unit waits for a person or a quota and does without its slot, wants one again, or has got it. */
export interface UnitMoved {
  readonly kind: 'unit.moved';
  readonly task: TaskId;
  readonly unit: string;
  readonly to: 'resting' | 'returning' | 'running';
}

/** What the engine saw for itself before it took a signal for true (L4). */
export type Evidence =
  | { readonly kind: 'file'; readonly path: string; readonly isThere: boolean }
  | { readonly kind: 'tree'; readonly tree: string }
  /** Of work that has to change files; `reason` is why the agent says that none has to be changed. */
  | { readonly kind: 'changes'; readonly since: TreeId; readonly isChanged: boolean; readonly reason?: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly exitCode: number | null;
      readonly output: string;
      readonly ms: number;
    };

/** What must be seen. */
export interface Demand {
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

/** A client's own session, as far as it is known. */
export interface AgentSession {
  readonly actor: string;
  readonly id: string;
  readonly context: string;
  /** How much of the context it has heard, counted from the very first message. */
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
 * Whether a run may begin work. A unit of a pool works in its slot, and so does every run below it. A run that waits for a person or for
 * a time that is far away gives its slot away (`left`), tells its parent, and asks it (`wanted`) before any of its work leaves again. A
 * parent gives only what it has: without a slot of its own it asks further up first. Runs that are below no unit need none.
 */
export type SlotState = 'given' | 'left' | 'wanted';
