import type { JSONRPCMessage } from '@modelcontextprotocol/server';

export interface RequestBounds {
  /** How many requests may be unanswered. */
  readonly requests: number;
  /** And how many bytes they may have together. */
  readonly bytes: number;
}

export interface Refusal {
  readonly message: string;
  /** It may be asked again later; else never so. */
  readonly isBusy: boolean;
}

/** Unanswered requests. Bounded, so that a caller cannot exhaust the memory of this process. */
export class RequestsUnderWay {
  readonly #bounds: RequestBounds;
  readonly #bytesOf = new Map<string | number, number>();
  #bytes = 0;

  constructor(bounds: RequestBounds) {
    this.#bounds = bounds;
  }

  /** Null where it may go on. */
  begin(message: JSONRPCMessage, bytes: number): Refusal | null {
    if (!('method' in message)) return null;
    if (!('id' in message)) return this.#noted(message);
    const { id } = message;
    if (this.#bytesOf.has(id)) return { message: `A request with the id ${id} is not answered yet.`, isBusy: false };
    if (this.#bytesOf.size >= this.#bounds.requests || this.#bytes + bytes > this.#bounds.bytes)
      return {
        message: `SERVER_BUSY: ${this.#bytesOf.size} requests are not answered yet. Wait for some.`,
        isBusy: true,
      };
    this.#bytesOf.set(id, bytes);
    this.#bytes += bytes;
    return null;
  }

  end(id: string | number): void {
    this.#bytes -= this.#bytesOf.get(id) ?? 0;
    this.#bytesOf.delete(id);
  }

  /** A cancelled request gets no answer. */
  #noted({ method, params }: { readonly method: string; readonly params?: object | undefined }): null {
    const id: unknown = method === 'notifications/cancelled' ? { requestId: null, ...params }.requestId : null;
    if (typeof id === 'string' || typeof id === 'number') this.end(id);
    return null;
  }
}
