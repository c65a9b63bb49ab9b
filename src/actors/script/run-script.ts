import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FaultCode } from '../../core/codes/codes.ts';
import release from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
  Scope,
} from 'quickjs-emscripten-core';
import { preludeFor } from './prelude.ts';

/** Calls into a QuickJS context: results are released when the scope ends, errors become a `ScriptThrew`. */
class Guest {
  readonly #context: QuickJSContext;
  readonly #scope: Scope;

  constructor(context: QuickJSContext, scope: Scope) {
    this.#context = context;
    this.#scope = scope;
  }

  text(value: string): QuickJSHandle {
    return this.#scope.manage(this.#context.newString(value));
  }

  flag(value: boolean): QuickJSHandle {
    return value ? this.#context.true : this.#context.false;
  }

  compile(code: string): QuickJSHandle {
    return this.#unwrap(this.#context.evalCode(code));
  }

  call(callee: QuickJSHandle, ...list: readonly QuickJSHandle[]): QuickJSHandle {
    return this.#unwrap(this.#context.callFunction(callee, this.#context.undefined, ...list));
  }

  /** The length is looked at first, so that a huge text is never copied out. */
  read(result: QuickJSHandle): string | null {
    if (this.#context.typeof(result) !== 'string') return null;
    const length = this.#context.getNumber(this.#scope.manage(this.#context.getProp(result, 'length')));
    if (length > LONGEST_TEXT)
      throw new ScriptThrew('SCRIPT_RESULT_TOO_LARGE', 'The script left too much data behind.');
    return this.#context.getString(result);
  }

  #unwrap(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error === undefined) return this.#scope.manage(result.value);
    const message = this.#context.getString(this.#scope.manage(result.error));
    if (MEMORY_MESSAGES.has(message))
      throw new ScriptThrew('SCRIPT_MEMORY', 'The script used more memory than it may.');
    throw new ScriptThrew('SCRIPT_FAILED', message === '' ? NAMELESS : message.slice(0, LONGEST_MESSAGE));
  }
}

class ScriptThrew extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A longer result is not even parsed; the limit for storing is far lower. */
const LONGEST_TEXT = 16_000_000;
const LONGEST_MESSAGE = 1000;
const NAMELESS = 'The script threw something that cannot be shown.';

/** QuickJS throws null when there is no memory left even for the error. */
const MEMORY_MESSAGES: ReadonlySet<string> = new Set([
  'InternalError: out of memory',
  'InternalError: string too long',
  'null',
]);

/**
 * Runs each script in a new QuickJS runtime, so that its changes to the language's objects are gone afterwards. Steps are counted
 * by polls of the interrupt handler, not by time, so a script runs out of fuel at the same point on every machine (L9).
 */
export class ScriptRunner {
  readonly #quickjs: QuickJSWASMModule;
  readonly #settings: RunnerSettings;
  #fresh: Cell | null = null;
  #used: Cell | null = null;

  constructor(quickjs: QuickJSWASMModule, settings: RunnerSettings) {
    this.#quickjs = quickjs;
    this.#settings = settings;
  }

  run(job: ScriptJob): GuestRun {
    let outcome: ScriptOutcome | null = null;
    try {
      const cell = this.#take();
      cell.meter.fuel = job.fuel;
      outcome = Scope.withScope((scope) => evaluate(new Guest(cell.context, scope), job));
      if (cell.meter.fuel < 0) outcome = OUT_OF_FUEL;
      // Only a script that failed can have left QuickJS in a state that shows when it cleans up.
      if (!outcome.ok) this.#discard();
      return { outcome, isBroken: false };
    } catch {
      return { outcome: outcome === null || outcome.ok ? BROKEN : outcome, isBroken: true };
    }
  }

  /** Cleans up and makes the next runtime while no script waits. */
  prepare(): void {
    this.#discard();
    this.#fresh ??= this.#open();
  }

  #take(): Cell {
    this.prepare();
    const cell = this.#fresh ?? this.#open();
    this.#fresh = null;
    this.#used = cell;
    return cell;
  }

  #discard(): void {
    const cell = this.#used;
    this.#used = null;
    cell?.context.dispose();
    cell?.runtime.dispose();
  }

  #open(): Cell {
    const runtime = this.#quickjs.newRuntime();
    const meter = { fuel: 0 };
    runtime.setMemoryLimit(this.#settings.memoryBytes);
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => {
      meter.fuel -= 1;
      return meter.fuel < 0;
    });
    return { runtime, context: runtime.newContext({ intrinsics: INTRINSICS }), meter };
  }
}

export interface ScriptJob {
  readonly source: string;
  readonly reads: readonly string[];
  readonly wants: 'value' | 'patch';
  /** JSON of `common_data`. */
  readonly data: string;
  /** JSON of the other roots that are read. */
  readonly rest: string;
  /** Polls of the interrupt handler; one is about ten thousand steps. */
  readonly fuel: number;
}

export interface RunnerSettings {
  /** Limit for scripts. */
  readonly memoryBytes: number;
}

export type ScriptOutcome =
  /** For a value its JSON, for a patch the JSON of all data afterwards; null where JSON has no word for it. */
  | { readonly ok: true; readonly json: string | null }
  | { readonly ok: false; readonly code: FaultCode; readonly message: string };

export interface GuestRun {
  readonly outcome: ScriptOutcome;
  /** QuickJS itself crashed or could not clean up: nothing more may run in this thread. */
  readonly isBroken: boolean;
}

/** A runtime with its one context, and what is left of its fuel. */
interface Cell {
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  readonly meter: { fuel: number };
}

/**
 * In WebAssembly QuickJS cannot measure its blocks, so its own memory limit counts almost nothing (a 2 MB limit let a script
 * take 2 GB). The wall is the size of the memory it lives in.
 */
export async function loadScriptRunner(
  settings: RunnerSettings,
  engine: ScriptEngine = compileEngine(),
): Promise<ScriptRunner> {
  const maximum = Math.ceil((settings.memoryBytes + OWN_BYTES) / PAGE_BYTES);
  const wasmMemory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: Math.max(INITIAL_PAGES, maximum) });
  // `isBroken` reports an abort; QuickJS need not print it.
  const quiet = { printErr: () => {} } as object;
  const options = { wasmMemory, wasmModule: engine, emscriptenModule: quiet };
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(VARIANT, options));
  return new ScriptRunner(quickjs, settings);
}

/** QuickJS, compiled. Threads can share it: a function that one of them needed is ready for the others. */
export type ScriptEngine = object;

export const compileEngine = (): ScriptEngine =>
  new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))));

/** The package's types describe its CommonJS form, in which the default export is one level deeper. */
const VARIANT = release as unknown as QuickJSSyncVariant;

/** Node's types leave this global out. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Buffer) => object;
    readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object;
  };
};

const PAGE_BYTES = 65_536;
/** The module is built for no less. */
const INITIAL_PAGES = 256;
/** Its stack, its tables and the language's own objects. */
const OWN_BYTES = 8 * 1024 * 1024;
const STACK_BYTES = 256 * 1024;

/** No clock and no raw memory: forbidden features are absent. Promises stay, QuickJS leaks without them. */
const INTRINSICS = {
  BaseObjects: true,
  Eval: true,
  RegExp: true,
  RegExpCompiler: true,
  JSON: true,
  MapSet: true,
  Promise: true,
} as const;

const OUT_OF_FUEL: ScriptOutcome = {
  ok: false,
  code: 'SCRIPT_FUEL',
  message: 'The script took more steps than it may; it probably never ends.',
};

const BROKEN: ScriptOutcome = {
  ok: false,
  code: 'SCRIPT_FAILED',
  message: 'The script broke its sandbox and was ended.',
};

function evaluate(guest: Guest, job: ScriptJob): ScriptOutcome {
  const body = job.wants === 'value' ? `return (\n${job.source}\n);` : job.source;
  try {
    const prelude = guest.compile(preludeFor(new Set(job.reads), job.source));
    const script = guest.compile(`(function () {"use strict";\n${body}\n})`);
    const finish = guest.call(prelude, guest.text(job.data), guest.text(job.rest));
    return { ok: true, json: guest.read(guest.call(finish, script, guest.flag(job.wants === 'patch'))) };
  } catch (error) {
    if (error instanceof ScriptThrew) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}
