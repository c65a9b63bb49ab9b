import type { FaultCode } from '../../core/codes/codes.ts';
import { Worker } from 'node:worker_threads';
import { REFUSED_KEYS } from '../../core/evaluate/assignments.ts';
import { cleanJson, LARGEST_VALUE } from '../../core/evaluate/clean-json.ts';
import { EvaluationError } from '../../core/evaluate/evaluation-error.ts';
import type { IsolateSource } from '../../core/model/expression.ts';
import type { ScriptResult } from '../../core/record/task-fact.ts';
import type { Patch } from '../../core/record/patch.ts';
import type { Json } from '../../core/model/json.ts';
import type { Failure, FailureClass } from '../../core/model/outcome.ts';
import type { SurfaceData } from '../../core/evaluate/surface.ts';
import type { Isolate, IsolateOptions } from './port.ts';
import type { RunnerSettings, ScriptEngine, ScriptJob, ScriptOutcome } from './run-script.ts';
import type { WorkerMessage, WorkerSettings } from './worker.ts';

/** Compiled by the first thread of this process. */
let engine: ScriptEngine | undefined;

/**
 * A few warm threads for scripts. Invariants: one script at a time per thread; every job is answered once, whatever becomes
 * of its thread; a thread that was killed or broke is replaced; threads keep the process alive only while a job is open.
 */
export class WorkerPool {
  readonly #settings: PoolSettings;
  readonly #queue: Waiting[] = [];
  readonly #slots = new Set<Slot>();
  #isClosed = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#spawn();
  }

  run(job: ScriptJob): Promise<ScriptOutcome> {
    if (this.#isClosed) return Promise.resolve(CLOSED);
    const { promise, resolve } = Promise.withResolvers<ScriptOutcome>();
    this.#queue.push({ job, resolve, tries: 0 });
    this.#pump();
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#queue.splice(0)) waiting.resolve(CLOSED);
    const slots = [...this.#slots];
    for (const slot of slots) this.#retire(slot, CLOSED);
    await Promise.all(slots.map((slot) => slot.worker.terminate()));
  }

  #pump(): void {
    for (const slot of this.#slots) {
      if (slot.state === 'idle' && this.#queue.length > 0) this.#start(slot, this.#queue.shift());
    }
    if (this.#needsThread()) this.#spawn();
    const isNeeded = this.#queue.length > 0 || [...this.#slots].some((slot) => slot.state === 'busy');
    for (const { worker } of this.#slots) {
      if (isNeeded) worker.ref();
      else worker.unref();
    }
  }

  #needsThread(): boolean {
    if (this.#isClosed || this.#slots.size >= this.#settings.size) return false;
    const starting = [...this.#slots].filter((slot) => slot.state === 'starting').length;
    return this.#slots.size === 0 || this.#queue.length > starting;
  }

  /** The thread gets no environment and no flags of this process; its stack is large enough for QuickJS to notice its own limit first. */
  #spawn(): void {
    const workerData: WorkerSettings = { memoryBytes: this.#settings.memoryBytes, engine };
    const worker = new Worker(workerFile(), { workerData, env: {}, execArgv: [], resourceLimits: { stackSizeMb: 16 } });
    const slot: Slot = { worker, state: 'starting', open: null, timer: undefined };
    worker.unref();
    worker.on('message', (message: WorkerMessage) => this.#heard(slot, message));
    worker.on('error', (error: Error) => this.#lost(slot, error.message));
    worker.on('exit', () => this.#lost(slot, 'it ended by itself'));
    this.#slots.add(slot);
  }

  #start(slot: Slot, waiting: Waiting | undefined): void {
    if (waiting === undefined) return;
    slot.state = 'busy';
    slot.open = waiting;
    waiting.tries += 1;
    // A busy main thread may see the alarm before an answer that was in time: handle the answer first.
    const expire = (): void => void setImmediate(() => slot.open === waiting && this.#retire(slot, TIMEOUT));
    slot.timer = setTimeout(expire, this.#settings.timeoutMs);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    slot.worker.postMessage(waiting.job);
  }

  #heard(slot: Slot, message: WorkerMessage): void {
    if (message.kind === 'ready') engine ??= message.engine;
    if (!this.#slots.has(slot)) return;
    if (message.kind === 'done' && message.isBroken) {
      this.#retire(slot, message.outcome);
      return;
    }
    slot.state = 'idle';
    if (message.kind === 'done') settle(slot, message.outcome);
    this.#pump();
  }

  /**
   * A thread died by itself. A script has no effects, so it is tried once more elsewhere. A thread that cannot even start would not
   * start the next time either, so the caller gets the error.
   */
  #lost(slot: Slot, reason: string): void {
    if (!this.#slots.delete(slot)) return;
    const outcome = {
      ok: false,
      code: 'ISOLATE_LOST',
      message: `The sandbox for scripts was lost: ${reason}.`,
    } as const;
    if (slot.state === 'starting') {
      for (const waiting of this.#queue.splice(0)) waiting.resolve(outcome);
      return;
    }
    const { open } = slot;
    if (open?.tries === 1) {
      clearTimeout(slot.timer);
      slot.open = null;
      this.#queue.unshift(open);
    }
    settle(slot, outcome);
    this.#pump();
  }

  #retire(slot: Slot, outcome: ScriptOutcome): void {
    this.#slots.delete(slot);
    settle(slot, outcome);
    void slot.worker.terminate();
    this.#pump();
  }
}

export interface PoolSettings extends RunnerSettings {
  /** Threads at most. */
  readonly size: number;
  readonly timeoutMs: number;
}

interface Waiting {
  readonly job: ScriptJob;
  readonly resolve: (outcome: ScriptOutcome) => void;
  tries: number;
}

interface Slot {
  readonly worker: Worker;
  state: 'starting' | 'idle' | 'busy';
  open: Waiting | null;
  timer: NodeJS.Timeout | undefined;
}

const CLOSED: ScriptOutcome = { ok: false, code: 'ISOLATE_CLOSED', message: 'The sandbox for scripts was closed.' };
const TIMEOUT: ScriptOutcome = {
  ok: false,
  code: 'SCRIPT_TIMEOUT',
  message: 'The script did not end in time and was killed.',
};

function settle(slot: Slot, outcome: ScriptOutcome): void {
  clearTimeout(slot.timer);
  const { open } = slot;
  slot.open = null;
  open?.resolve(outcome);
}

/** Run from sources the thread is a source too; in a bundle it is next to the bundle. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
}

export interface IsolateSettings {
  /** Polls, each about ten thousand steps: the same script always stops at the same point. */
  readonly fuel?: number;
  readonly memoryBytes?: number;
  /** The outer kill, for what fuel cannot see. Its outcome depends on the machine, and is journaled like any other. */
  readonly timeoutMs?: number;
  readonly threads?: number;
}

const LARGEST_INPUT = 4_000_000;
const LARGEST_RESULT = LARGEST_VALUE;

/** QuickJS in separate threads, with JSON in and JSON out (L8). */
export function createIsolate(settings: IsolateSettings = {}): Isolate {
  const { fuel = 1000, memoryBytes = 32 * 1024 * 1024, timeoutMs = 2000, threads = 2 } = settings;
  const pool = new WorkerPool({ size: threads, timeoutMs, memoryBytes });
  return {
    async run(script, options) {
      const job = { ...jobOf(script, options), fuel };
      if (job.data.length + job.rest.length > LARGEST_INPUT) return failed('SCRIPT_INPUT_TOO_LARGE', INPUT_TOO_LARGE);
      return resultOf(await pool.run(job), options.wants);
    },
    close: () => pool.close(),
  };
}

type SurfaceName = keyof SurfaceData;

const OTHER_ROOTS: ReadonlySet<string> = new Set<SurfaceName>([
  'agents',
  'contexts',
  'sub_workflow_result',
  'last_agent_response',
  'last_tool_calls',
  'last_parsing_tool_calls',
]);

/** Touches only the roots that are read: the surface builds each one when asked. */
function jobOf(script: IsolateSource, { surface, wants }: IsolateOptions): Omit<ScriptJob, 'fuel'> {
  const reads = new Set(script.reads);
  const needsData = wants === 'patch' || reads.has('common_data') || reads.has('variables');
  const rest: [string, unknown][] = [['locals', surface.locals]];
  for (const name of reads) if (OTHER_ROOTS.has(name)) rest.push([name, surface[name as SurfaceName]]);
  return {
    source: script.source,
    reads: script.reads,
    wants,
    data: needsData ? JSON.stringify(surface.common_data) : '{}',
    rest: JSON.stringify(Object.fromEntries(rest)),
  };
}

function resultOf(outcome: ScriptOutcome, wants: IsolateOptions['wants']): ScriptResult {
  if (!outcome.ok) return failed(outcome.code, outcome.message);
  const { json } = outcome;
  if (json !== null && json.length > LARGEST_RESULT) return failed('SCRIPT_RESULT_TOO_LARGE', RESULT_TOO_LARGE);
  try {
    const value = cleanJson(json === null ? null : JSON.parse(json)) ?? null;
    return wants === 'value' ? { kind: 'value', value } : patchOf(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const isLarge = error.code === 'VALUE_TOO_LARGE';
    return failed(isLarge ? 'SCRIPT_RESULT_TOO_LARGE' : 'SCRIPT_FAILED', error.message);
  }
}

const INPUT_TOO_LARGE = `The data a script would read is larger than ${LARGEST_INPUT} characters of JSON.`;
const RESULT_TOO_LARGE = `The script's result is larger than ${LARGEST_RESULT} characters of JSON.`;

function patchOf(value: Json): ScriptResult {
  const patch = value as unknown as Patch;
  const refused = Object.keys(patch.set ?? {}).find((key) => REFUSED_KEYS.has(key));
  if (refused !== undefined) return failed('SCRIPT_FAILED', `The key \`${refused}\` may not be assigned.`);
  return { kind: 'patch', patch };
}

const CLASSES: Readonly<Partial<Record<FaultCode, FailureClass>>> = {
  ISOLATE_CLOSED: 'cancelled',
  ISOLATE_LOST: 'crash',
};

function failed(code: FaultCode, message: string): ScriptResult {
  const failure: Failure = { code, message, class: CLASSES[code] ?? 'script' };
  return { kind: 'failed', failure };
}
