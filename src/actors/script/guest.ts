import type { QuickJSContext, QuickJSHandle, Scope } from 'quickjs-emscripten-core';

/** Calls into a QuickJS context: what they make is given back when the scope ends, what they throw is a `ScriptThrew`. */
export class Guest {
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

export class ScriptThrew extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Above this a result is not even looked at; what may be kept is far less. */
const LONGEST_TEXT = 16_000_000;
const LONGEST_MESSAGE = 1000;
const NAMELESS = 'The script threw something that cannot be shown.';

/** QuickJS throws null when there is no memory left even for the error. */
const MEMORY_MESSAGES: ReadonlySet<string> = new Set([
  'InternalError: out of memory',
  'InternalError: string too long',
  'null',
]);
