import type { Activity } from '../core/agent-fact.ts';
import type { RunId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import type { ToolCall } from '../core/message.ts';
import type { ModelWindow } from '../core/model-window.ts';
import type { Failure } from '../core/outcome.ts';
import type { Role, ToolSpec } from '../core/role.ts';
import type { CostUsd, Usage } from '../core/usage.ts';
import type { SeenMessage } from '../core/view.ts';
import type { ClientOrder, ClientPrompt, ClientTraits } from './client-port.ts';

/**
 * Whoever answers a call. Every implementation passes `actor.contract.ts`.
 *
 * [A1] A call resolves with exactly one reply; a failure is a reply, never a rejection.
 * [A2] After the signal fires the call ends promptly, with a failure of class `cancelled`, and leaves nothing running.
 * [A3] Usage is that of this call only.
 */
export interface Actor {
  readonly kind: string;
  /** Where it is a program of its own: it works in a folder, keeps its own conversation and uses its own tools. */
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
  /** Text that is the same for all agents of a run, before everything else; empty where there is none. */
  readonly shared: string;
  /** The conversation from the agent's own side, without the role's system message and examples. */
  readonly messages: readonly SeenMessage[];
  /** Who the agent is, said behind its first order; a client hears it with its role. */
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
  /** Text came instead: a provider that is known to accept it may be made to call a tool. */
  readonly isAskedAgain: boolean;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** The request as it goes over the wire, in this provider's format; again where it is sent anew without what was refused. */
  readonly onSent?: (text: string, provider: string) => void;
  /** Text as it streams in; for live views only. */
  readonly onText?: (delta: string) => void;
  /** A client's conversation has this id. Where the engine did not choose it: call at once, and go on when it is durable. */
  readonly onSession?: (session: string) => Promise<void>;
  /** What a client is given to read, right before it is. */
  readonly onPrompt?: (prompt: ClientPrompt) => void;
  /** What a client does by itself, as it tells; told again under the same id when it has moved on. */
  readonly onActivity?: (activity: Activity) => void;
  /** A client asks whether it may; resolves when a person or a rule has decided. */
  readonly onPermission?: (asked: PermissionRequest) => Promise<PermissionReply>;
  /** Every line a client said, as it said it; kept beside the journal. */
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
  /** What it cost all the same: a reply that was cut off or refused is paid for. */
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
  /** What a client was not let do, for people. */
  readonly denials?: readonly string[];
}
