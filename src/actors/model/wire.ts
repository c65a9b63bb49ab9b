import type { CallRequest } from '../port.ts';
import type { StreamedReply } from './read-stream.ts';

/** Sends one request in a provider's format and reads the stream that answers it. An error of the endpoint is part of the reply. */
export interface Wire {
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

/** What is said of a request when it leaves, and of its response when it begins. */
export interface CallHead {
  response: { readonly contentType: string } | null;
  readonly beforeSent?: () => Promise<void> | undefined;
  readonly onSent?: (text: string) => void;
}
