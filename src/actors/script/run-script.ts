import release from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  Scope,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { Guest, ScriptThrew } from './guest.ts';
import { preludeFor } from './prelude.ts';

/**
 * One script, in a QuickJS runtime of its own that is thrown away afterwards: what a script does to the language's own
 * objects is gone with it. Steps are counted by polls of the interrupt handler, not by time, so a script that runs out of
 * fuel does so at the same point on every machine (L9).
 */
export interface ScriptJob {
  readonly source: string;
  readonly reads: readonly string[];
  readonly wants: 'value' | 'patch';
  /** JSON of `common_data`. */
  readonly data: string;
  /** JSON of the other roots that are read. */
  readonly rest: string;
  readonly limits: ScriptLimits;
}

export interface ScriptLimits {
  /** Polls of the interrupt handler; one is about ten thousand steps. */
  readonly fuel: number;
  readonly stackBytes: number;
}

export type ScriptOutcome =
  /** For a value its JSON, for a patch the JSON of all data afterwards; null where JSON has no word for it. */
  | { readonly ok: true; readonly json: string | null }
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface ScriptRun {
  readonly outcome: ScriptOutcome;
  /** QuickJS itself came apart or could not clean up: nothing more may run in this thread. */
  readonly isBroken: boolean;
}

export interface RunnerSettings {
  /** What all of QuickJS may use. */
  readonly memoryBytes: number;
}

/**
 * In WebAssembly QuickJS cannot measure its blocks, so its own memory limit counts almost nothing (a 2 MB limit let a script
 * take 2 GB). The wall is the size of the memory it lives in.
 */
export async function loadScriptRunner({ memoryBytes }: RunnerSettings): Promise<(job: ScriptJob) => ScriptRun> {
  const maximum = Math.ceil((memoryBytes + OWN_BYTES) / PAGE_BYTES);
  const wasmMemory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: Math.max(INITIAL_PAGES, maximum) });
  // What QuickJS would print when it aborts is told by `isBroken` instead.
  const quiet = { printErr: () => {} } as object;
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(VARIANT, { wasmMemory, emscriptenModule: quiet }));
  return (job) => runScript(quickjs, job, memoryBytes);
}

/** Node's types leave this global out. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object;
  };
};
const PAGE_BYTES = 65_536;
/** The module is built for no less. */
const INITIAL_PAGES = 256;
/** Its stack, its tables and the language's own objects. */
const OWN_BYTES = 8 * 1024 * 1024;

/** The package's types describe its CommonJS form, in which the default export is one level deeper. */
const VARIANT = release as unknown as QuickJSSyncVariant;

/** No clock and no raw memory: what a script cannot have is not there. Promises stay, QuickJS leaks without them. */
const INTRINSICS = {
  BaseObjects: true,
  Eval: true,
  RegExp: true,
  RegExpCompiler: true,
  JSON: true,
  MapSet: true,
  Promise: true,
} as const;

function runScript(quickjs: QuickJSWASMModule, job: ScriptJob, memoryBytes: number): ScriptRun {
  let outcome: ScriptOutcome | null = null;
  try {
    const runtime = quickjs.newRuntime();
    let polls = 0;
    runtime.setMemoryLimit(memoryBytes);
    runtime.setMaxStackSize(job.limits.stackBytes);
    runtime.setInterruptHandler(() => {
      polls += 1;
      return polls > job.limits.fuel;
    });
    const context = runtime.newContext({ intrinsics: INTRINSICS });
    outcome = Scope.withScope((scope) => evaluate(new Guest(context, scope), job));
    if (polls > job.limits.fuel) outcome = OUT_OF_FUEL;
    context.dispose();
    runtime.dispose();
    return { outcome, isBroken: false };
  } catch {
    return { outcome: outcome ?? BROKEN, isBroken: true };
  }
}

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
