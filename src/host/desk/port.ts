import type { Desk } from '../../actors/port.ts';
import type { RunId, TaskId } from '../../core/model/ids.ts';
import type { ToolCall } from '../../core/model/message.ts';
import type { ToolSpec } from '../../core/model/role.ts';

/**
 * Where agents that are programs submit their structured replies, over MCP on loopback.
 *
 * [DK1] A token names one turn. Without it, or when its turn is over, nothing is said but that there is no entry.
 * [DK2] Calls of a turn are taken one after the other.
 * [DK3] One reply is accepted. The same one again gets the same words and changes nothing; another one hears that the step is over.
 *       An accepted reply is durable before the client hears so.
 * [DK4] A reply that is not accepted says why, and the agent can go on.
 * [DK5] A tool that ends nothing is answered as often as it is called, until a reply was accepted.
 */
export interface DeskOffice {
  /** A desk for one turn. */
  open(order: DeskOrder): Promise<OpenDesk>;
  /** Closes every desk, and the door. */
  close(): Promise<void>;
}

export interface DeskOrder {
  readonly run: RunId;
  readonly task: TaskId;
  readonly tools: readonly ToolSpec[];
  /** Checks one reply. The signal fires when the desk is closed meanwhile. */
  readonly take: (call: ToolCall, options: { readonly signal: AbortSignal }) => Promise<TakenReply>;
}

export interface TakenReply {
  readonly isAccepted: boolean;
  /** Not a reply but a tool that ends nothing, and it was carried out: the agent continues. */
  readonly isAnswered?: true;
  /** A judgement that has to be corrected first. It counts if nothing better follows. */
  readonly isReturned?: true;
  /** For the agent. */
  readonly text: string;
}

export interface OpenDesk extends Desk {
  /** At most one. */
  readonly accepted: readonly ToolCall[];
  /** Resolves when no check is in progress: a client that did not wait for the answer may still have been right. */
  settled(): Promise<void>;
  /**
   * Invalidates its token; a check in progress is stopped and waited for. Rejects with the error that kept the engine from
   * checking a reply, if none was accepted after that.
   */
  close(): Promise<void>;
}
