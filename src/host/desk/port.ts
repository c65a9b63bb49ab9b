import type { Desk } from '../../actors/port.ts';
import type { RunId, TaskId } from '../../core/model/ids.ts';
import type { ToolCall } from '../../core/model/message.ts';
import type { ToolSpec } from '../../core/model/role.ts';

/**
 * Where agents that are programs hand in their structured replies, over MCP on loopback.
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
  /** It was no reply but a tool that ends nothing, and did what was asked: the agent goes on. */
  readonly isAnswered?: true;
  /** A judgement that has to be corrected first. It counts where nothing better follows. */
  readonly isReturned?: true;
  /** For the agent. */
  readonly text: string;
}

export interface OpenDesk extends Desk {
  /** At most one. */
  readonly accepted: readonly ToolCall[];
  /** Resolves when nothing is being checked: a client that did not wait for the answer may have been right all the same. */
  settled(): Promise<void>;
  /**
   * From now on its token is worth nothing; what is being checked is told to stop, and waited for. Rejects with what kept
   * the engine from checking a reply, where none was accepted after that.
   */
  close(): Promise<void>;
}
