import type { Activity } from '../core/record/agent-fact.ts';
import type { RunId } from '../core/model/ids.ts';
import type { Json } from '../core/model/json.ts';
import type { ToolCall } from '../core/model/message.ts';
import type { ModelWindow } from '../core/model/model-window.ts';
import type { Failure } from '../core/model/outcome.ts';
import type { Role, RoleMode, ToolSpec } from '../core/model/role.ts';
import type { CostUsd, Usage } from '../core/model/usage.ts';
import type { SeenMessage } from '../core/look/view.ts';
import type { Workspace } from '../workspace/port.ts';

/** Fixed facts about a client. */
export interface ClientTraits {
  /** The account it uses: a used-up quota or a lost login stops every agent with the same one. */
  readonly provider: string;
  /** The engine chooses the id of a new conversation, and can write it down before there is one. */
  readonly choosesSession: boolean;
  readonly canResume: boolean;
  /** It can copy a conversation and continue in the copy. */
  readonly canFork: boolean;
}

/** One turn of a client. */
export interface ClientOrder {
  /** The folder it works in. */
  readonly place: Pick<Workspace, 'folder' | 'environment' | 'folders'>;
  /** `read`: nothing may be written. `commands`: writes are discarded. Enforced by the sandbox, whatever the client assumes. */
  readonly mode: RoleMode;
  /** Its commands may reach the network; the client itself always reaches its own endpoint. */
  readonly network: boolean;
  readonly session: SessionOrder;
  /** Messages that are new to its conversation; all of them for a new one. Never empty. */
  readonly unheard: readonly SeenMessage[];
  /** Where it hands in its structured replies; null if its role has none. */
  readonly desk: Desk | null;
  /** A folder of the agent's own for settings and conversations, which lasts as long as the run. No other agent's. */
  readonly home: string;
  readonly limits: ClientLimits;
}

/** The text that a client reads in one turn. */
export interface ClientPrompt {
  /** Empty where the conversation has it already. */
  readonly system: string;
  readonly prompt: string;
}

export type SessionOrder =
  /** `id` where the client lets the engine choose. */
  | { readonly how: 'new'; readonly id: string | null }
  | { readonly how: 'resumed'; readonly id: string }
  /** A copy of `from`, under its own id where the engine may choose. */
  | { readonly how: 'forked'; readonly from: string; readonly id: string | null };

/** An MCP server on loopback that recognises the agent by its token. */
export interface Desk {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The names of its tools, without any prefix a client may add. */
  readonly tools: readonly string[];
  /** For clients without HTTP: a program that speaks MCP on its own input and output and passes it on. */
  readonly bridge: DeskBridge;
  /** Calls `hold` when the check of a reply begins, and its result when the check ends: no agent is idle meanwhile. */
  readonly onCheck?: (hold: () => () => void) => void;
  /** Calls `end` when a reply was accepted: the turn is over, and the client has its grace time to end it. */
  readonly onAccepted?: (end: () => void) => void;
}

export interface DeskBridge {
  readonly command: readonly string[];
  /** The desk's address and token: not on the command line, which others can read. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folders that the sandbox must make readable. */
  readonly folders: readonly string[];
}

/** The code of a client that continued after its grace time. Its accepted reply counts. */
export const WENT_ON = 'CLIENT_WENT_ON';

export const GRACE_MS = 10_000;

export interface ClientLimits {
  /** Nothing was heard of it for so long: it is stuck (Q5). */
  readonly idleMs: number;
  readonly wallMs: number;
  /** How long it may continue after its reply was accepted (A8). */
  readonly graceMs?: number;
}

/** A client as `troupe doctor` shows it. */
export interface ClientProbe {
  readonly kind: string;
  readonly isFound: boolean;
  readonly path?: string;
  readonly version?: string;
  /** `null`: only the vendor knows. */
  readonly isLoggedIn: boolean | null;
  /** By what: a key in this variable, a login in that file. Never the key itself. */
  readonly login?: string;
  readonly problem?: string;
  readonly hint?: string;
  readonly traits: ClientTraits;
}

/**
 * Answers calls. Every implementation passes `actor.contract.ts`.
 *
 * [A1] A call resolves with exactly one reply; a failure is a reply, never a rejection.
 * [A2] After the signal fires the call ends promptly, with a failure of class `cancelled`, and leaves nothing running.
 * [A3] Usage is that of this call only.
 */
export interface Actor {
  readonly kind: string;
  /** For a separate program: it works in a folder, keeps its own conversation and uses its own tools. */
  readonly client?: ClientTraits;
  /** How much it takes in one request, where that is limited and the engine has to see to it. */
  readonly window?: ModelWindow;
  call(request: CallRequest, options: CallOptions): Promise<CallReply>;
}

export interface CallRequest {
  readonly run: RunId;
  readonly agent: string;
  readonly role: Role;
  /** The state in which the agent speaks. */
  readonly state: string;
  /** Which visit of that state, counted from 1. */
  readonly visit: number;
  /** Which model call of the turn, and which attempt at it; both from 1. */
  readonly call: number;
  readonly attempt: number;
  readonly idempotencyKey: string;
  /** Text before everything else, the same for all agents of a run; may be empty. */
  readonly shared: string;
  /** The conversation from the agent's own side, without the role's system message and examples. */
  readonly messages: readonly SeenMessage[];
  /** Introduces the agent, after its first prompt; a client gets it with its role. */
  readonly introduction?: string;
  /** Ordinary tools and parsing tools; the engine runs what is called. A client hears only of the parsing ones, at the desk. */
  readonly tools: readonly ToolSpec[];
  /** The structured replies that end the turn, where text alone does not (A4). */
  readonly owed?: OwedReply;
  /** All that a client needs besides; always there for one. */
  readonly client?: ClientOrder;
}

export interface OwedReply {
  readonly tools: readonly string[];
  /** The last reply was text: a provider that is known to accept it may be forced to call a tool. */
  readonly isAskedAgain: boolean;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** The last moment before a request leaves, which may be long after the call was made: rejects where it must not leave. */
  readonly beforeSent?: () => Promise<void> | undefined;
  /** The request as it goes over the wire, in this provider's format; again where it is sent again without what was refused. */
  readonly onSent?: (text: string, provider: string) => void;
  /** Text as it streams in; for live views only. */
  readonly onText?: (delta: string) => void;
  /** A client's conversation has this id. Where the engine did not choose it: call at once, and continue when it is durable. */
  readonly onSession?: (session: string) => Promise<void>;
  /** The text that a client reads, right before it does. */
  readonly onPrompt?: (prompt: ClientPrompt) => void;
  /** An activity that a client reports; an update has the same id. */
  readonly onActivity?: (activity: Activity) => void;
  /** A client asks whether it may; resolves when a person or a rule has decided. */
  readonly onPermission?: (asked: PermissionRequest) => Promise<PermissionReply>;
  /** Every line of a client, unchanged; stored next to the journal. */
  readonly onRaw?: (line: string) => void;
}

export interface PermissionRequest {
  readonly tool: string;
  readonly input: Json;
  /** Why it asks, where it says. */
  readonly reason?: string;
}

export interface PermissionReply {
  readonly isAllowed: boolean;
  /** For the agent, where it is not. */
  readonly message?: string;
}

export type CallReply = CallAnswer | CallFailure;

export interface CallFailure {
  readonly kind: 'failed';
  readonly failure: Failure;
  /** The cost of the failed call: a truncated or refused reply is paid for. */
  readonly spent?: { readonly usage: Usage; readonly costUsd: CostUsd; readonly model?: string };
}

export interface CallAnswer {
  readonly kind: 'answered';
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** Calls whose arguments were not JSON, by id, with what is wrong. */
  readonly malformed?: Readonly<Record<string, string>>;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  readonly model: string;
  /** Opaque provider data to send back with this message. */
  readonly meta?: Json;
  /** Actions that a client was denied, for people. */
  readonly denials?: readonly string[];
}

/** The engine's own MCP server, by the name under which clients know it. */
export const DESK_NAME = 'troupe';
