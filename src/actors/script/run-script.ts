import {
  newQuickJSWASMModuleFromVariant,
  Scope,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import variant from '@jitl/quickjs-wasmfile-release-sync';
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
  readonly memoryBytes: number;
  readonly stackBytes: number;
}

export type ScriptOutcome =
  | { readonly ok: true; /** null where the script yields nothing that JSON has a word for. */ readonly json: string | null }
  | { readonly ok: false; readonly code: string; readonly message: string };

export type RunScript = (job: ScriptJob) => ScriptOutcome;

export async function loadScriptRunner(): Promise<RunScript> {
  const quickjs = await newQuickJSWASMModuleFromVariant(variant);
  return (job) => runScript(quickjs, job);
}

/** No clock, no promises, no raw memory: what a script cannot have is not there. */
const INTRINSICS = { BaseObjects: true, Eval: true, RegExp: true, RegExpCompiler: true, JSON: true, MapSet: true, Promise: true } as const;

function runScript(quickjs: QuickJSWASMModule, job: ScriptJob): ScriptOutcome {
  const runtime = quickjs.newRuntime();
  let polls = 0;
  runtime.setMemoryLimit(job.limits.memoryBytes);
  runtime.setMaxStackSize(job.limits.stackBytes);
  runtime.setInterruptHandler(() => {
    polls += 1;
    return polls > job.limits.fuel;
  });
  const context = runtime.newContext({ intrinsics: INTRINSICS });
  try {
    const outcome = evaluate(context, job);
    return polls > job.limits.fuel ? OUT_OF_FUEL : outcome;
  } finally {
    context.dispose();
    runtime.dispose();
  }
}

const OUT_OF_FUEL: ScriptOutcome = {
  ok: false,
  code: 'SCRIPT_FUEL',
  message: 'The script took more steps than it may; it probably never ends.',
};

function evaluate(context: QuickJSContext, job: ScriptJob): ScriptOutcome {
  const body = job.wants === 'value' ? `return (\n${job.source}\n);` : job.source;
  return Scope.withScope((scope) => {
    const guest = new Guest(context, scope);
    try {
      const prelude = guest.compile(preludeFor(new Set(job.reads), job.source));
      const script = guest.compile(`(function () {"use strict";\n${body}\n})`);
      const finish = guest.call(prelude, guest.text(job.data), guest.text(job.rest));
      const wantsPatch = job.wants === 'patch' ? context.true : context.false;
      return { ok: true, json: guest.read(guest.call(finish, script, wantsPatch)) };
    } catch (error) {
      if (error instanceof ScriptThrew) return { ok: false, code: error.code, message: error.message };
      throw error;
    }
  });
}

/** Calls into a context; what they make is given back when the scope ends, what they throw becomes a `ScriptThrew`. */
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

  compile(code: string): QuickJSHandle {
    return this.#unwrap(this.#context.evalCode(code));
  }

  call(guestFunction: QuickJSHandle, ...list: readonly QuickJSHandle[]): QuickJSHandle {
    return this.#unwrap(this.#context.callFunction(guestFunction, this.#context.undefined, ...list));
  }

  /** The length is looked at first, so that a huge text is never copied out. */
  read(result: QuickJSHandle): string | null {
    if (this.#context.typeof(result) !== 'string') return null;
    const length = this.#context.getNumber(this.#scope.manage(this.#context.getProp(result, 'length')));
    if (length > LONGEST_TEXT) throw new ScriptThrew('SCRIPT_RESULT_TOO_LARGE', 'The script left too much data behind.');
    return this.#context.getString(result);
  }

  #unwrap(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error === undefined) return this.#scope.manage(result.value);
    throw this.#threw(this.#scope.manage(result.error));
  }

  /** QuickJS throws null when there is no memory left even for the error. */
  #threw(error: QuickJSHandle): ScriptThrew {
    const message = this.#context.getString(error).slice(0, LONGEST_MESSAGE);
    const isMemory = message === 'InternalError: out of memory' || message === 'null';
    if (isMemory) return new ScriptThrew('SCRIPT_MEMORY', 'The script used more memory than it may.');
    return new ScriptThrew('SCRIPT_FAILED', message);
  }
}

const LONGEST_TEXT = 16_000_000;
const LONGEST_MESSAGE = 1000;

class ScriptThrew extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
