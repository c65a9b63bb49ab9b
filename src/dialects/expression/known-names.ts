import { SURFACE_ROOTS } from '../../core/native-surface.ts';

/** Names an author may use without declaring them (SM5). */

/** Values of the run, by the names of the surface. */
export const ROOT_NAMES: ReadonlySet<string> = new Set(SURFACE_ROOTS);

/** Values that exist only at some places, such as `item` within a pool. */
export const LOCAL_NAMES: ReadonlySet<string> = new Set(['item', 'index', 'unit', 'units', 'result']);

/** Methods of `this` that may also be called bare, with the roots each one reads. */
export const SELF_METHOD_READS: ReadonlyMap<string, readonly string[]> = new Map([
  ['getAgent', ['agents']],
  ['getToolCalls', ['agents']],
  ['getContext', ['contexts']],
]);

/** Reads whatever the text given to it at run time mentions. */
export const EVALUATE_METHOD = 'evaluateExpression';

/** What the rewritten shorthand is called inside the isolate; its prelude defines it. */
export const SHORTHAND_NAME = '$function';

/** What the language itself offers; all of it deterministic and without I/O. */
export const BUILTIN_NAMES: ReadonlySet<string> = new Set([
  'undefined',
  'NaN',
  'Infinity',
  'Math',
  'JSON',
  'Object',
  'Array',
  'String',
  'Number',
  'Boolean',
  'BigInt',
  'Symbol',
  'RegExp',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'Reflect',
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'EvalError',
  'URIError',
  'parseInt',
  'parseFloat',
  'isNaN',
  'isFinite',
  'encodeURIComponent',
  'decodeURIComponent',
  'encodeURI',
  'decodeURI',
]);

const NO_CLOCK = 'a script has no clock, so that a replay decides the same';
const NO_WORLD = 'a script has no access to files, network or processes';
const NO_CODE = 'a script may not make code at run time';
const NO_WAITING = 'a script runs to its end at once, it cannot wait';

/** Names people try, with the reason why there is no such thing here. */
export const REFUSED_NAMES: ReadonlyMap<string, string> = new Map([
  ['Date', NO_CLOCK],
  ['performance', NO_CLOCK],
  ['Intl', 'its answers depend on the machine'],
  ['crypto', 'a script has no source of randomness, so that a replay decides the same'],
  ['process', NO_WORLD],
  ['require', NO_WORLD],
  ['module', NO_WORLD],
  ['fetch', NO_WORLD],
  ['XMLHttpRequest', NO_WORLD],
  ['globalThis', NO_WORLD],
  ['global', NO_WORLD],
  ['window', NO_WORLD],
  ['console', 'nobody would see the output; the journal shows every change of the data'],
  ['eval', NO_CODE],
  ['Function', NO_CODE],
  ['Promise', NO_WAITING],
  ['setTimeout', NO_WAITING],
  ['setInterval', NO_WAITING],
  ['queueMicrotask', NO_WAITING],
]);

export const RANDOM_REFUSAL = 'a script has no source of randomness, so that a replay decides the same';
export const ASYNC_REFUSAL = NO_WAITING;
export const IMPORT_REFUSAL = NO_WORLD;
