import type { Json, JsonObject } from '../../../core/model/json.ts';
import { objectIn, stringIn } from '../../read-json.ts';

/** `closed`: the program has ended and cannot answer any more. */
export type RpcAnswer =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'refused'; readonly error: RpcError }
  | { readonly kind: 'closed' };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: Json;
}

export interface PeerListener {
  readonly send: (message: JsonObject) => void;
  readonly onNotification: (method: string, params: JsonObject) => void;
  /** Null where there is no such method. */
  readonly onRequest: (method: string, params: JsonObject) => Promise<JsonObject> | null;
}

/**
 * JSON-RPC 2.0 with a program that may get it wrong: ignores answers without a request and unknown notifications, and refuses
 * unknown requests.
 */
export class JsonRpcPeer {
  readonly #listener: PeerListener;
  readonly #open = new Map<number, (answer: RpcAnswer) => void>();
  #requests = 0;
  #isClosed = false;

  constructor(listener: PeerListener) {
    this.#listener = listener;
  }

  request(method: string, params: JsonObject): Promise<RpcAnswer> {
    if (this.#isClosed) return Promise.resolve({ kind: 'closed' });
    const id = this.#requests;
    this.#requests += 1;
    const { promise, resolve } = Promise.withResolvers<RpcAnswer>();
    this.#open.set(id, resolve);
    this.#say({ id, method, params });
    return promise;
  }

  notify(method: string, params: JsonObject): void {
    this.#say({ method, params });
  }

  /** False for a message outside the protocol. */
  hear(message: JsonObject): boolean {
    const { id, method } = message;
    if (message['jsonrpc'] !== '2.0') return false;
    if (typeof method !== 'string') return this.#answered(message);
    const params = objectIn(message['params']);
    if (id === undefined) this.#listener.onNotification(method, params);
    else void this.#serve(id, method, params);
    return true;
  }

  /** Resolves every open request as closed. */
  close(): void {
    this.#isClosed = true;
    for (const resolve of this.#open.values()) resolve({ kind: 'closed' });
    this.#open.clear();
  }

  #answered(message: JsonObject): boolean {
    const { id, error, result } = message;
    if (id === undefined || (error === undefined && result === undefined)) return false;
    const resolve = typeof id === 'number' ? this.#open.get(id) : undefined;
    if (typeof id === 'number') this.#open.delete(id);
    resolve?.(
      error === undefined ? { kind: 'result', result: objectIn(result) } : { kind: 'refused', error: read(error) },
    );
    return true;
  }

  async #serve(id: Json, method: string, params: JsonObject): Promise<void> {
    try {
      const result = await this.#listener.onRequest(method, params);
      if (result === null) this.#say({ id, error: { code: METHOD_NOT_FOUND, message: `There is no ${method} here.` } });
      else this.#say({ id, result });
    } catch {
      this.#say({ id, error: { code: INTERNAL_ERROR, message: 'It could not be answered.' } });
    }
  }

  #say(message: JsonObject): void {
    if (!this.#isClosed) this.#listener.send({ jsonrpc: '2.0', ...message });
  }
}

function read(error: Json): RpcError {
  const { code, message, data = null } = objectIn(error);
  return { code: typeof code === 'number' ? code : INTERNAL_ERROR, message: stringIn(message), data };
}

const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;
