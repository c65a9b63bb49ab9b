import { type Json, type JsonObject, parseJson } from '../../core/model/json.ts';
import type { ToolSpec } from '../../core/model/role.ts';
import type { SeenMessage } from '../../core/look/view.ts';
import { objectListIn, stringIn } from '../read-json.ts';
import type { ScriptedAnswer } from './rule.ts';

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
  /** Text is sent unchanged. */
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

/** Content is a text or a list of blocks; blocks without text are pictures and the like. */
export function contentText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return objectListIn(value)
    .map((block) => stringIn(block['text']))
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Arguments travel as text in OpenAI's formats. */
export function argumentsValue(value: Json | undefined): Json {
  return typeof value === 'string' ? parseJson(value, value) : (value ?? {});
}

/** Cuts a text into pieces of about `size` characters, never inside a surrogate pair; null leaves it whole. */
export function pieces(text: string, size: number | null): readonly string[] {
  if (text === '') return [];
  if (size === null || text.length <= size) return [text];
  const cut: string[] = [];
  for (let from = 0; from < text.length;) {
    const isSplitPair = /[\uD800-\uDBFF]/.test(text.charAt(from + size - 1));
    const to = from + size + (isSplitPair ? 1 : 0);
    cut.push(text.slice(from, to));
    from = to;
  }
  return cut;
}
