import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import { CappedOutput } from '../../../lib/capped-output.ts';
import { type ContainedStart, killGroup, killTree, newMark } from '../../../lib/process-tree.ts';
import type { Sandbox, WrappedStart } from '../../../sandbox/port.ts';
import { type ClientLimits, GRACE_MS } from '../../port.ts';
import { gatedProgram, type ReachingProgram } from '../network/gate.ts';
import { type Line, LineSplitter } from './line-splitter.ts';
import { Watchdogs } from './watchdogs.ts';
import { orElse } from '../../../lib/or-else.ts';

/** Carries the mark that distinguishes the program from its wrappers. */
const MARK_VARIABLE = 'TROUPE_CLIENT';

/**
 * Sends a signal to the program itself, not to the sandbox around it, which would kill it without warning. Returns whether there was a
 * program.
 */
async function signalProgram(target: SignalTarget, signal: NodeJS.Signals): Promise<boolean> {
  const pid = target.start.level === 'group' ? target.pid : await findProgram(target.pid, target.mark);
  if (pid === null) return false;
  return orElse(() => process.kill(pid, signal), false);
}

export interface SignalTarget {
  readonly pid: number;
  readonly start: Pick<ContainedStart, 'level'>;
  readonly mark: string;
}

/** The first one below that has the mark in its environment: those around it know the value by another name. */
async function findProgram(pid: number, mark: string): Promise<number | null> {
  let generation = [pid];
  for (let depth = 0; depth < DEEPEST && generation.length > 0; depth += 1) {
    for (const each of generation) if (await hasMark(each, mark)) return each;
    generation = (await Promise.all(generation.map(childrenOf))).flat();
  }
  return null;
}

const DEEPEST = 8;

async function hasMark(pid: number, mark: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return environment.split('\0').includes(`${MARK_VARIABLE}=${mark}`);
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map(Number);
}

/** Why it was stopped: from outside, by an alarm, or because its turn was over. */
export type StopReason = 'cancelled' | 'idle' | 'wall' | 'given-up' | 'lingering' | 'over';

export interface ClientProcessOptions {
  readonly limits: ClientLimits;
  /** Ends it as `cancelled`, within five seconds. */
  readonly signal: AbortSignal;
  /** Each line of its output, as soon as it is whole. */
  readonly onLine: (line: Line) => void;
  /** Asks it in its own protocol to give up; false where that cannot be done yet. The first step when it is stopped. */
  readonly interrupt?: () => boolean;
}

export interface ClientEnd {
  /** Null when there is none. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Null when it ended by itself. */
  readonly stopped: StopReason | null;
  /** Why it could not be started at all. */
  readonly startFailure: string | null;
  /** The beginning and the end of what it wrote on its error output. */
  readonly errorOutput: string;
}

/**
 * A program in the sandbox that talks line by line. It is watched, and ended step by step: asked, signalled, then killed with
 * everything it started. When `ended` resolves, nothing of it is left.
 */
export class ClientProcess {
  readonly ended: Promise<ClientEnd>;
  readonly #start: WrappedStart;
  readonly #closeGate: () => Promise<void>;
  readonly #mark: string;
  readonly #options: ClientProcessOptions;
  readonly #watchdogs: Watchdogs;
  readonly #lines = new LineSplitter();
  readonly #errors = new CappedOutput(MAX_ERROR_BYTES);
  readonly #over = new AbortController();
  readonly #end = Promise.withResolvers<ClientEnd>();
  #child: ChildProcess | null = null;
  #stopped: StopReason | null = null;
  #startFailure: string | null = null;
  #defect: unknown = null;

  /** Throws a fault when the box cannot be built. */
  static async start(program: BoxedProgram, options: ClientProcessOptions): Promise<ClientProcess> {
    const mark = newMark();
    const gated = await gatedProgram(program, { [MARK_VARIABLE]: mark });
    try {
      const start = await program.sandbox.wrap(gated.argv, gated.box);
      const started = new ClientProcess({ start, mark, closeGate: gated.close }, options);
      started.#begin();
      return started;
    } catch (error) {
      await gated.close();
      throw error;
    }
  }

  private constructor({ start, mark, closeGate }: MarkedStart, options: ClientProcessOptions) {
    this.#start = start;
    this.#closeGate = closeGate;
    this.#mark = mark;
    this.#options = options;
    this.ended = this.#end.promise;
    this.#watchdogs = new Watchdogs(options.limits, (which) => this.stop(which));
  }

  /** A line of its input. */
  send(line: string): void {
    this.#child?.stdin?.write(`${line}\n`);
  }

  /** Nothing more will be said to it, and it continues with what it has heard. */
  closeInput(): void {
    this.#child?.stdin?.end();
  }

  /** Nothing more will be said to it. One that is still there after so long is stopped as `lingering`. */
  endInput(lingerMs = LINGER_MS): void {
    this.#child?.stdin?.end();
    this.#stopAfter(lingerMs, 'lingering');
  }

  /** Its turn is over whatever it still does. One that is still there after the grace time is stopped as `over`. */
  endSoon(): void {
    this.#stopAfter(this.#options.limits.graceMs ?? GRACE_MS, 'over');
  }

  /** As a person at a terminal would: the program ends its turn, and keeps its conversation. */
  sendInterrupt(): void {
    void this.#signal('SIGINT');
  }

  #stopAfter(ms: number, reason: StopReason): void {
    const alarm = setTimeout(() => this.stop(reason), ms);
    this.#over.signal.addEventListener('abort', () => clearTimeout(alarm), { once: true });
  }

  /** The alarms wait until the returned function has been called. */
  hold(): () => void {
    return this.#watchdogs.hold();
  }

  /** The first reason counts. Does not wait for the end. */
  stop(reason: StopReason): void {
    if (this.#stopped !== null || this.#over.signal.aborted) return;
    this.#stopped = reason;
    this.#watchdogs.close();
    const grace = reason === 'cancelled' || reason === 'given-up' ? PROMPT : PATIENT;
    this.#stepDown(grace).catch((error: unknown) => (this.#defect ??= error));
  }

  #begin(): void {
    const { signal } = this.#options;
    const onAbort = (): void => this.stop('cancelled');
    signal.addEventListener('abort', onAbort, { once: true });
    this.#over.signal.addEventListener('abort', () => signal.removeEventListener('abort', onAbort), { once: true });
    try {
      this.#spawn();
    } catch (error) {
      // Arguments that no program can be given: too long, or with a NUL.
      this.#failToStart(error instanceof Error ? error.message : String(error));
      return;
    }
    this.#watchdogs.start();
    if (signal.aborted) this.stop('cancelled');
  }

  #spawn(): void {
    const { argv, cwd, env } = this.#start;
    const [program = '', ...words] = argv;
    const child = spawn(program, words, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    child.on('error', (error) => this.#failToStart(error.message));
    child.on('exit', () => void this.#sweep(child));
    child.on('close', (exitCode, signal) => void this.#finish({ exitCode, signal }));
    child.stdout.on('data', (chunk: Buffer) => this.#read(this.#lines.push(chunk)));
    child.stderr.on('data', (chunk: Buffer) => this.#errors.push(chunk));
    // A program that exits before reading everything is reported through its end.
    child.stdin.on('error', () => undefined);
  }

  #read(lines: readonly Line[]): void {
    this.#watchdogs.heard();
    for (const line of lines) {
      try {
        this.#options.onLine(line);
      } catch (error) {
        this.#defect ??= error;
        this.stop('given-up');
      }
    }
  }

  async #stepDown(grace: Grace): Promise<void> {
    if (this.#options.interrupt?.() === true) await this.#waitForEnd(grace.interruptMs);
    if (this.#isOver()) return;
    const isSignalled = await this.#signal('SIGTERM');
    if (isSignalled) await this.#waitForEnd(grace.terminateMs);
    if (!this.#isOver() && this.#child !== null) await killTree(this.#child, this.#start);
  }

  async #signal(signal: NodeJS.Signals): Promise<boolean> {
    const pid = this.#child?.pid;
    return pid !== undefined && (await signalProgram({ pid, start: this.#start, mark: this.#mark }, signal));
  }

  async #waitForEnd(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#over.signal }).catch(() => undefined);
  }

  #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Kills processes that the program left behind: in a namespace there are none. */
  async #sweep(child: ChildProcess): Promise<void> {
    if (this.#start.level === 'group' && child.pid !== undefined) await killGroup(child.pid, this.#start.mark);
    // A process outside of our reach may hold the outputs open for ever.
    await delay(OUTPUTS_MS, undefined, { signal: this.#over.signal, ref: false }).catch(() => undefined);
    for (const stream of child.stdio) stream?.destroy();
  }

  #failToStart(message: string): void {
    this.#startFailure = message;
    void this.#finish({ exitCode: null, signal: null });
  }

  async #finish(exit: Pick<ClientEnd, 'exitCode' | 'signal'>): Promise<void> {
    if (this.#isOver()) return;
    this.#read(this.#lines.end());
    this.#over.abort();
    this.#watchdogs.close();
    // A failed cleanup must not lose the reply.
    await Promise.allSettled([this.#start.dispose(), this.#closeGate()]);
    if (this.#defect !== null) this.#end.reject(this.#defect);
    else this.#end.resolve({ ...exit, ...this.#ending() });
  }

  #ending(): Omit<ClientEnd, 'exitCode' | 'signal'> {
    return { stopped: this.#stopped, startFailure: this.#startFailure, errorOutput: this.#errors.text() };
  }
}

export interface BoxedProgram extends ReachingProgram {
  readonly sandbox: Sandbox;
}

interface MarkedStart {
  readonly start: WrappedStart;
  readonly mark: string;
  readonly closeGate: () => Promise<void>;
}

/** How long each step of stopping waits for the end. */
interface Grace {
  readonly interruptMs: number;
  readonly terminateMs: number;
}

/** A person waits for it. */
const PROMPT: Grace = { interruptMs: 1000, terminateMs: 2500 };
/** It is stuck; saving its conversation is worth the time. */
const PATIENT: Grace = { interruptMs: 3000, terminateMs: 5000 };
const LINGER_MS = 10_000;
const OUTPUTS_MS = 1000;
const MAX_ERROR_BYTES = 16_384;
