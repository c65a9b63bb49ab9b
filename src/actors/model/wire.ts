import type { JsonObject } from '../../core/model/json.ts';
import type { ToolCall } from '../../core/model/message.ts';
import type { Usage } from '../../core/model/usage.ts';
import type { CallRequest } from '../port.ts';

/** Sends one request in a provider's format and reads the stream that answers it. An error of the endpoint is part of the reply. */
export interface ModelWire {
  send(request: CallRequest, options: SendOptions): Promise<StreamedReply>;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly onText: (delta: string) => void;
  /** The model has to call a tool. */
  readonly isForced: boolean;
  /** Places are marked where the provider may find the prompt again. */
  readonly hasMarks: boolean;
  readonly head: CallHead;
}

/** Reported when a request leaves and when its response begins. */
export interface CallHead {
  response: { readonly contentType: string } | null;
  readonly beforeSent?: () => Promise<void> | undefined;
  readonly onSent?: (text: string) => void;
}

/** The content of one stream, complete or not. */
export interface StreamedReply {
  readonly parts: readonly ReplyPart[];
  readonly calls: readonly ToolCall[];
  readonly malformed: Readonly<Record<string, string>>;
  readonly usage: Usage | null;
  readonly model: string | null;
  /** Null when the stream ended without one. */
  readonly finish: Finish | null;
  /** Settings that the model does not take, in the SDK's words. */
  readonly ignored: readonly string[];
  /** The first error event. */
  readonly error: { readonly cause: unknown } | null;
}

export type Finish =
  | 'stop'
  | 'length'
  | 'content-filter'
  | 'tool-calls'
  | 'error'
  | 'other'
  | 'interrupted'
  | 'overflow';

/** A reply in the order the model gave it, with what its provider wants back word for word. */
export type ReplyPart =
  | { readonly kind: 'text'; readonly text: string; readonly options?: JsonObject }
  | { readonly kind: 'reasoning'; readonly text: string; readonly options?: JsonObject }
  | { readonly kind: 'call'; readonly id: string; readonly options?: JsonObject };

export type Fetch = typeof globalThis.fetch;
