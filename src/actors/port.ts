import type { RunId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import type { ToolCall } from '../core/message.ts';
import type { Failure } from '../core/outcome.ts';
import type { Role, ToolSpec } from '../core/role.ts';
import type { CostUsd, Usage } from '../core/usage.ts';
import type { SeenMessage } from '../core/view.ts';

/**
 * Whoever answers a call. Every implementation passes `actor.contract.ts`.
 *
 * [A1] A call resolves with exactly one reply; a failure is a reply, never a rejection.
 * [A2] After the signal fires the call ends promptly, with a failure of class `cancelled`, and leaves nothing running.
 * [A3] Usage is that of this call only.
 */
export interface Actor {
  readonly kind: string;
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
  /** The conversation from the agent's own side, without the role's system message and examples. */
  readonly messages: readonly SeenMessage[];
  /** Ordinary tools and parsing tools; the engine runs what is called. */
  readonly tools: readonly ToolSpec[];
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Text as it streams in; for live views only. */
  readonly onText?: (delta: string) => void;
}

export type CallReply = CallAnswer | CallFailure;

export interface CallFailure {
  readonly kind: 'failed';
  readonly failure: Failure;
  /** What it cost all the same: a reply that was cut off or refused is paid for. */
  readonly spent?: { readonly usage: Usage; readonly costUsd: CostUsd };
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
}
