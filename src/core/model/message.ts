import type { Json } from './json.ts';

/** One entry of a conversation, stored once. How an agent sees it depends on the agent (see `view`). */
export interface Message {
  /** An agent's name, `workflow` for what a state sends, `person`, `system`, or `troupe` for what the engine says. */
  readonly author: string;
  /** The agent it was said to, where it was said to one. */
  readonly to?: string;
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
  /** On a tool's result: the call it answers. */
  readonly toolCallId?: string;
  /** On a tool's result: the call was refused or failed. */
  readonly isError?: boolean;
  /** On a tool's result: the call was taken as the agent's structured reply. */
  readonly isReply?: true;
  /** The number of messages removed before this one because the context was too long. */
  readonly cutBefore?: number;
  /** On a summary: how many messages of the turn it stands for. */
  readonly standsFor?: number;
  /** Data that a provider needs back verbatim, such as signed reasoning. Opaque to the engine. */
  readonly meta?: Json;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
}
