import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { CappedOutput } from '../../lib/capped-output.ts';
import { killTree, openGate } from '../../lib/process-tree.ts';
import type { WrappedStart } from '../../sandbox/port.ts';

/**
 * Speaks with a server that runs in the sandbox: a line of JSON a message. What it prints is bounded, and closing ends it
 * with all that it has started.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #start: WrappedStart;
  readonly #limit: OutputLimit;
  readonly #errors = new CappedOutput(MAX_ERROR_BYTES);
  readonly #ended = Promise.withResolvers<void>();
  #child: ChildProcess | null = null;
  #rest = '';
  #bytes = 0;
  #closing: Promise<void> | null = null;

  constructor(start: WrappedStart, limit: OutputLimit) {
    this.#start = start;
    this.#limit = limit;
  }

  /** What it said on its error output: its beginning and its end. */
  get errorOutput(): string {
    return this.#errors.text();
  }

  // oxlint-disable-next-line require-await -- words that no program can be given are a refusal, too
  async start(): Promise<void> {
    const { argv, cwd, env, gated } = this.#start;
    const [program = '', ...words] = argv;
    const stdio: 'pipe'[] = ['pipe', 'pipe', 'pipe', ...(gated ? ['pipe' as const] : [])];
    const child = spawn(program, words, { cwd, env, detached: true, stdio });
    this.#child = child;
    child.on('error', () => this.#end());
    child.on('exit', () => this.#end());
    child.on('close', () => void this.close());
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    child.stderr?.on('data', (chunk: Buffer) => this.#errors.push(chunk));
    // One that ends without having read everything is told by its end.
    child.stdin?.on('error', () => undefined);
    openGate(child);
  }

  /** Counts its output anew, for a server that lives longer than one call. */
  resetOutput(): void {
    this.#bytes = 0;
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    if (this.#child !== null) {
      await killTree(this.#child, this.#start);
      await this.#ended.promise;
      for (const stream of this.#child.stdio) stream?.destroy();
    }
    await this.#start.dispose();
    this.onclose?.();
  }

  #end(): void {
    this.#ended.resolve();
    // What it printed last may still be on the way; something outside our reach may hold its output open for ever.
    setTimeout(() => void this.close(), LINGER_MS).unref();
  }

  #read(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#limit.maxBytes) {
      this.#limit.onTooMuch();
      return;
    }
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
  }

  /** Servers print other things, too; those are nobody's messages. */
  #take(line: string): void {
    try {
      const message = JSON.parse(line) as unknown;
      if (typeof message === 'object' && message !== null) this.onmessage?.(message as JSONRPCMessage);
    } catch {
      this.#errors.push(Buffer.from(`${line}\n`));
    }
  }
}

/** Of all that it says in its life, or since `resetOutput`; what comes after that is not read. */
export interface OutputLimit {
  readonly maxBytes: number;
  readonly onTooMuch: () => void;
}

const MAX_ERROR_BYTES = 8192;
const LINGER_MS = 500;
