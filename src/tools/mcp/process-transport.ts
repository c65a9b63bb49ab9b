import { type ChildProcess, spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { CappedOutput } from '../../lib/capped-output.ts';
import { killTree, openGate } from '../../lib/process-tree.ts';
import type { WrappedStart } from '../../sandbox/port.ts';
import { withoutValues } from '../../secrets/without-values.ts';

/**
 * Talks to a server in the sandbox, one line of JSON per message. Its output is bounded, and closing ends it with everything it
 * has started.
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

  /** The beginning and the end of its error output. */
  get errorOutput(): string {
    return this.#errors.text();
  }

  // oxlint-disable-next-line require-await -- words that no program can be given are a refusal, too
  async start(): Promise<void> {
    const { argv, cwd, env, gated } = this.#start;
    const [program = '', ...args] = argv;
    const stdio: 'pipe'[] = ['pipe', 'pipe', 'pipe', ...(gated ? ['pipe' as const] : [])];
    const child = spawn(program, args, { cwd, env, detached: true, stdio });
    this.#child = child;
    child.on('error', () => this.#end());
    child.on('exit', () => this.#end());
    child.on('close', () => void this.close());
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    child.stderr?.on('data', (chunk: Buffer) => this.#errors.push(chunk));
    // A server that exits before reading everything is reported through its end.
    child.stdin?.on('error', () => undefined);
    openGate(child);
  }

  /** Counts its output again, for a server that lives longer than one call. */
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
    // Its last output may still be on the way; a process outside our reach may hold its output open for ever.
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

  /** Ignores other lines that servers print. */
  #take(line: string): void {
    try {
      const message = JSON.parse(line) as unknown;
      if (typeof message === 'object' && message !== null) this.onmessage?.(message as JSONRPCMessage);
    } catch {
      this.#errors.push(Buffer.from(`${line}\n`));
    }
  }
}

/** Limits the whole output, or that since `resetOutput`; more is not read. */
export interface OutputLimit {
  readonly maxBytes: number;
  readonly onTooMuch: () => void;
}

const MAX_ERROR_BYTES = 8192;
const LINGER_MS = 500;

/** An error of a server in our own words, which contain no secrets. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
}

/** The server that did not answer, and the secrets to remove from its output. */
export interface FailedServer {
  /** Begins the sentence: `The search server`. */
  readonly subject: string;
  readonly transport: Transport | null;
  readonly secrets: readonly string[];
}

/** Why a server gave no answer, for the agent. */
export function serverProblemText(error: unknown, { subject, transport, secrets }: FailedServer): string {
  if (error instanceof ServerProblem) return `${subject} cannot be used: ${error.message}.`;
  if (transport instanceof ProcessTransport) {
    return `${subject} gave no answer.${printed(transport.errorOutput, secrets)}`;
  }
  return `${subject} could not be asked: ${codeOf(error)}.`;
}

/** Its end alone, since the reason stands there. */
function printed(text: string, secrets: readonly string[]): string {
  const shown = withoutValues(text.trim(), secrets).slice(-MAX_PRINTED);
  return shown === '' ? '' : ` It printed: ${shown}`;
}

const MAX_PRINTED = 500;

/** The message itself may hold an address with a key in it. */
function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { status } = at as { readonly status?: unknown };
    if (typeof status === 'number') return `status ${status}${STATUS_HINTS[status] ?? ''}`;
    if ('code' in at && typeof at.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(at.code)) return at.code;
  }
  return 'its answer was not understood';
}

const REDIRECT = ' (it redirects; the url has to be the address that it leads to)';
const STATUS_HINTS: Readonly<Record<number, string>> = {
  301: REDIRECT,
  302: REDIRECT,
  303: REDIRECT,
  307: REDIRECT,
  308: REDIRECT,
  401: ' (it wants a key)',
};

/** Text of a server on one line, without control characters; cut if too long. */
export function boundText(text: string, most: number): string {
  const plain = text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/\p{Cc}/gu, '');
  const shown = plain.trim().toWellFormed();
  return shown.length <= most ? shown : `${shown.slice(0, most - 1).toWellFormed()}…`;
}
