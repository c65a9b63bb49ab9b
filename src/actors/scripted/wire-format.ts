import type { JsonObject } from '../../core/json.ts';
import type { ToolSpec } from '../../core/role.ts';
import type { SeenMessage } from '../../core/view.ts';
import type { ScriptedAnswer } from './scripted-answer.ts';

/** One way to speak to a model over HTTP. One file each; the server knows no difference between them. */
export interface WireFormat {
  /** Below `/v1`. */
  readonly path: string;
  read(body: JsonObject): WireRequest;
  /** The whole reply, for clients that do not stream. */
  replyBody(answer: ScriptedAnswer, context: WireContext): JsonObject;
  replyEvents(answer: ScriptedAnswer, context: WireContext): readonly WireEvent[];
  errorBody(error: WireError): JsonObject;
  /** An error in a stream that began well. */
  errorEvent(error: WireError, context: WireContext): WireEvent;
  /** How this vendor says that it has too much to do. */
  readonly overloaded: WireError;
  /** How this vendor says that a request is larger than the window. */
  overflow(tokens: number, window: number): WireError;
}

export interface WireRequest {
  readonly model: string;
  readonly isStream: boolean;
  readonly messages: readonly SeenMessage[];
  readonly tools: readonly WireTool[];
}

export interface WireTool extends ToolSpec {
  /** Codex groups the tools of an MCP server under a name that its calls carry along. */
  readonly namespace?: string;
}

export interface WireContext {
  readonly request: WireRequest;
  readonly body: JsonObject;
  /** Seconds since the epoch. */
  readonly createdAt: number;
}

export interface WireEvent {
  readonly event?: string;
  /** Text is sent as it stands. */
  readonly data: JsonObject | string;
}

export interface WireError {
  readonly status: number;
  /** The vendor's word for the kind; null takes the one that goes with the status. */
  readonly error: string | null;
  readonly message: string;
}

/** Characters a piece of a stream where the script does not say: small enough that every reply comes in several. */
export const DEFAULT_CHUNK = 12;

export function wireEventText(event: WireEvent): string {
  const name = event.event === undefined ? '' : `event: ${event.event}\n`;
  return `${name}data: ${typeof event.data === 'string' ? event.data : JSON.stringify(event.data)}\n\n`;
}
