import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CappedOutput } from './capped-output.ts';
import {
  bestContainment,
  containedStart,
  killGroup,
  killTree,
  openGate,
  type ContainedStart,
  type Containment,
} from './process-tree.ts';

/**
 * Runs a program to its end and reports how it ended, each reason in its own field. Never throws for what the program did.
 * When it resolves, the program's whole offspring is gone as far as the containment reaches.
 */
export async function runProcess(argv: readonly string[], options: ProcessOptions): Promise<ProcessResult> {
  const level = options.containment ?? (await bestContainment());
  const start = containedStart(argv, { level, env: options.env, mergeErrors: options.mergeErrors ?? false });
  return runStart(start, options);
}

/** The same for a start that was assembled elsewhere, such as by a sandbox. */
export async function runStart(start: ContainedStart, options: RunOptions): Promise<ProcessResult> {
  if (options.signal?.aborted === true) return notRun(start.level, { cancelled: true });
  const max = options.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES;
  const running = new Running(start, { output: new CappedOutput(max), errors: new CappedOutput(max) });
  running.begin(options);
  const stopWatching = watch(running, options);
  try {
    const end = await running.ended();
    return resultOf(running, end);
  } finally {
    stopWatching();
  }
}

export interface RunOptions {
  readonly cwd: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** For each of the two outputs; the beginning and the end are kept. */
  readonly maxOutputBytes?: number;
  /** The program's input; without it the input is closed. Reading it is not awaited. */
  readonly stdin?: string | Uint8Array;
  /** The program starts no others, or none that leave its group: no search for others afterwards. */
  readonly staysInGroup?: boolean;
}

export interface ProcessOptions extends RunOptions {
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Both outputs in one, in the order in which they were written. */
  readonly mergeErrors?: boolean;
  /** Default: the best that works here. */
  readonly containment?: Containment;
}

export interface ProcessResult {
  /** Null when there is none, for one of the reasons below. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errorOutput: string;
  readonly rawOutput: Buffer;
  /** Something was left out of one of the outputs. */
  readonly truncated: boolean;
  readonly outputBytes: number;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** Why it could not be started at all. */
  readonly startFailure: string | null;
  readonly containment: Containment;
}

const DEFAULT_OUTPUT_BYTES = 65_536;
/** How long outputs may stay open after the end; a process outside our reach may hold them. */
const LINGER_MS = 1000;

interface Outputs {
  readonly output: CappedOutput;
  readonly errors: CappedOutput;
}

interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

class Running {
  readonly start: ContainedStart;
  readonly outputs: Outputs;
  stopReason: 'timeout' | 'cancel' | null = null;
  startFailure: string | null = null;
  #isReady: boolean;
  #staysInGroup = false;
  #child: ChildProcess | null = null;
  readonly #end = Promise.withResolvers<ProcessEnd>();

  constructor(start: ContainedStart, outputs: Outputs) {
    this.start = start;
    this.outputs = outputs;
    this.#isReady = !start.gated;
  }

  begin(options: RunOptions): void {
    this.#staysInGroup = options.staysInGroup ?? false;
    try {
      this.#spawn(options);
    } catch (error) {
      // Arguments that no program can be given: too long, or with a NUL.
      this.#failToStart(error instanceof Error ? error.message : String(error));
    }
  }

  #spawn({ cwd, stdin }: RunOptions): void {
    const [program = '', ...rest] = this.start.argv;
    const input = stdin === undefined ? 'ignore' : 'pipe';
    const stdio: ('ignore' | 'pipe')[] = [input, 'pipe', 'pipe', ...(this.start.gated ? ['pipe' as const] : [])];
    const child = spawn(program, rest, { cwd, env: this.start.env, detached: true, stdio });
    this.#child = child;
    child.on('error', (error) => {
      this.#failToStart(existsSync(cwd) ? error.message : `there is no folder ${cwd}`);
    });
    child.on('exit', (exitCode, signal) => void this.#finish(child, { exitCode, signal }));
    child.stdout?.on('data', (chunk: Buffer) => this.outputs.output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.outputs.errors.push(chunk));
    // A program that ends without reading everything is no error of ours.
    child.stdin?.on('error', () => undefined);
    if (stdin !== undefined) child.stdin?.end(stdin);
    openGate(child, () => {
      this.#isReady = true;
    });
  }

  ended(): Promise<ProcessEnd> {
    return this.#end.promise;
  }

  stop(reason: 'timeout' | 'cancel'): void {
    if (this.stopReason !== null || this.#child === null) return;
    this.stopReason = reason;
    void killTree(this.#child, this.start);
  }

  #failToStart(message: string): void {
    this.startFailure = message;
    this.#end.resolve({ exitCode: null, signal: null });
  }

  async #finish(child: ChildProcess, end: ProcessEnd): Promise<void> {
    // Without a namespace, processes left behind have to be searched for.
    if (this.start.level === 'group' && child.pid !== undefined) {
      await killGroup(child.pid, this.#staysInGroup ? null : this.start.mark);
    }
    await outputsClosed(child);
    child.stdin?.destroy();
    if (!this.#isReady && this.stopReason === null) {
      this.startFailure = this.outputs.errors.text().trim() || 'the containment could not be set up';
    }
    this.#end.resolve(end);
  }
}

async function outputsClosed(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const closed = Promise.all(streams.map((stream) => streamClosed(stream)));
  const isClosed = await Promise.race([closed.then(() => true), delay(LINGER_MS, false, { ref: false })]);
  if (!isClosed) for (const stream of streams) stream.destroy();
}

function streamClosed(stream: NodeJS.ReadableStream & { readonly closed: boolean }): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once('close', () => resolve());
  });
}

function watch(running: Running, options: RunOptions): () => void {
  const onAbort = () => running.stop('cancel');
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const timer =
    options.timeoutMs === undefined ? undefined : setTimeout(() => running.stop('timeout'), options.timeoutMs);
  return () => {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
  };
}

function resultOf(running: Running, end: ProcessEnd): ProcessResult {
  const { output, errors } = running.outputs;
  const hasOwnEnd = running.stopReason === null && running.startFailure === null;
  return {
    exitCode: hasOwnEnd ? end.exitCode : null,
    signal: end.signal,
    output: output.text(),
    errorOutput: errors.text(),
    rawOutput: output.bytes(),
    truncated: output.droppedBytes + errors.droppedBytes > 0,
    outputBytes: output.totalBytes + errors.totalBytes,
    timedOut: running.stopReason === 'timeout',
    cancelled: running.stopReason === 'cancel',
    startFailure: running.startFailure,
    containment: running.start.level,
  };
}

/** The result of a program that was never started. */
export function notRun(
  containment: Containment,
  why: { readonly cancelled?: boolean; readonly startFailure?: string },
): ProcessResult {
  const texts = { output: '', errorOutput: '', rawOutput: Buffer.alloc(0), outputBytes: 0, truncated: false };
  const end = { exitCode: null, signal: null, timedOut: false, cancelled: false, startFailure: null };
  return { ...texts, ...end, ...why, containment };
}
