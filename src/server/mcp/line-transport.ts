import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/model/json.ts';
import { errorCode } from '../../lib/held-folder.ts';
import { BoundedLines, TOO_LONG } from './bounded-lines.ts';
import { RequestsUnderWay, type RequestBounds } from './requests-under-way.ts';

export interface LineBounds extends RequestBounds {
  readonly lineBytes: number;
}

/** A text may have a megabyte; a line with a few of them is still far below. */
const BOUNDS: LineBounds = { lineBytes: 8 * 1024 * 1024, requests: 1000, bytes: 64 * 1024 * 1024 };

/** JSON-RPC's own numbers; the last is of those that are free. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const BUSY = -32_000;

/**
 * MCP over two streams, a message a line. What cannot be taken is answered with an error, and the conversation continues: a line
 * without end, one that is no UTF-8, no JSON or no message, and more requests than are worked on at once.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #bounds: LineBounds;
  readonly #lines: BoundedLines;
  readonly #requests: RequestsUnderWay;
  #isClosed = false;

  constructor(input: Readable, output: Writable, bounds: LineBounds = BOUNDS) {
    this.#input = input;
    this.#output = output;
    this.#bounds = bounds;
    this.#lines = new BoundedLines(bounds.lineBytes);
    this.#requests = new RequestsUnderWay(bounds);
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#taken);
    this.#input.on('error', this.#failed);
    this.#input.once('end', this.#ended);
    this.#input.once('close', this.#ended);
    this.#output.on('error', this.#unheard);
    await Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
    // Counted until it is sent, so that a caller that reads no answers cannot send requests without end.
    if (!('method' in message) && message.id !== undefined) this.#requests.end(message.id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off('data', this.#taken);
    this.#input.pause();
    this.onclose?.();
    await Promise.resolve();
  }

  readonly #taken = (piece: Buffer): void => {
    for (const line of this.#lines.take(piece)) {
      if (line === TOO_LONG) this.#refuse(INVALID_REQUEST, tooLong(this.#bounds.lineBytes));
      else this.#read(line);
    }
  };

  readonly #failed = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };

  /** A caller that reads no more answers has hung up, even if there is still input from it. */
  readonly #unheard = (error: Error): void => {
    if (errorCode(error) !== 'EPIPE') this.onerror?.(error);
    void this.close();
    this.#input.destroy();
  };

  readonly #ended = (): void => {
    if (this.#lines.isInside && !this.#isClosed) this.#refuse(PARSE_ERROR, 'The input ended in the middle of a line.');
    void this.close();
  };

  #read(line: Buffer): void {
    if (line.length === 0 || (line.length === 1 && line[0] === CARRIAGE_RETURN)) return;
    if (!isUtf8(line)) return this.#refuse(PARSE_ERROR, 'A line is not UTF-8.');
    const value = parseJson(line.toString('utf8'), undefined);
    if (value === undefined) return this.#refuse(PARSE_ERROR, 'A line is not JSON.');
    if (!isMessage(value)) return this.#refuse(INVALID_REQUEST, NO_MESSAGE, idIn(value));
    const refusal = this.#requests.begin(value, line.length);
    if (refusal !== null) return this.#refuse(refusal.isBusy ? BUSY : INVALID_REQUEST, refusal.message, idIn(value));
    this.onmessage?.(value);
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message } }).catch((error: unknown) =>
      this.onerror?.(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** Stops reading while the caller does not read the answers. */
  async #write(message: object): Promise<void> {
    if (this.#isClosed) throw new Error('The conversation is over.');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const isTaken = this.#output.write(`${JSON.stringify(message)}\n`, (error) =>
      error == null ? resolve() : reject(error),
    );
    if (!isTaken && !this.#input.isPaused()) {
      this.#input.pause();
      this.#output.once('drain', () => void (this.#isClosed || this.#input.resume()));
    }
    await promise;
  }
}

const CARRIAGE_RETURN = 13;

const tooLong = (most: number): string => `A line may have ${most} bytes at most; a longer one was left out.`;

const NO_MESSAGE = 'A line is not a message of JSON-RPC 2.0. Several in one line (a batch) are not taken.';

const isId = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));

const idIn = (value: Json): string | number | null => {
  const id = isJsonObject(value) ? value['id'] : undefined;
  return isId(id) ? id : null;
};

/** A request, a notification, or the answer to a request of ours. */
function isMessage(value: Json): value is Json & JSONRPCMessage {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return false;
  return value['method'] === undefined ? isAnswer(value) : isCall(value);
}

const isAnswer = ({ id, result, error }: JsonObject): boolean =>
  isId(id) && (isJsonObject(result ?? null) || isJsonObject(error ?? null));

const isCall = ({ id, method, params = {} }: JsonObject): boolean =>
  typeof method === 'string' && isJsonObject(params) && (id === undefined || isId(id));
