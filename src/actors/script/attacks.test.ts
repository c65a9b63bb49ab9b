import { afterAll, describe, expect, test } from 'vitest';
import type { IsolateSource } from '../../core/model/expression.ts';
import type { ScriptResult } from '../../core/record/task-fact.ts';
import { sampleSurface } from '../../source/expression/testing/sample-surface.ts';
import { createIsolate } from './isolate.ts';
import { loadScriptRunner, type ScriptJob } from './run-script.ts';

/**
 * Hostile scripts, given to the isolate directly: what the parser would refuse must be harmless here too, because the
 * isolate is the boundary and the parser only the first to speak.
 */
const patient = createIsolate({ timeoutMs: 25_000 });
const hasty = createIsolate({ timeoutMs: 300 });
afterAll(() => Promise.all([patient.close(), hasty.close()]));

const ALL = ['common_data', 'agents', 'contexts', 'last_parsing_tool_calls', 'locals'];
const script = (source: string): IsolateSource => ({ kind: 'isolate', source, reads: ALL });
const run = (source: string, wants: 'value' | 'patch' = 'patch'): Promise<ScriptResult> =>
  patient.run(script(source), { wants, surface: sampleSurface({ a: 1 }) });
const codeOf = (result: ScriptResult): string => (result.kind === 'failed' ? result.failure.code : result.kind);

async function isWell(): Promise<void> {
  expect(await run('common_data.a + 1', 'value')).toEqual({ kind: 'value', value: 2 });
}

describe('a script that uses too much is ended at the same point by any machine, and the next one runs', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['an endless loop', 'while (true) {}', 'SCRIPT_FUEL'],
    [
      'an endless loop that catches everything',
      'for (;;) { try { while (true) {} } catch {} finally { continue; } }',
      'SCRIPT_FUEL',
    ],
    ['an endless loop in a getter of the result', 'common_data.x = { get y() { for (;;); } }', 'SCRIPT_FUEL'],
    ['an endless loop in toJSON', 'common_data.x = { toJSON() { for (;;); } }', 'SCRIPT_FUEL'],
    ['an endless loop in the text of an error', 'throw { toString() { for (;;); } }', 'SCRIPT_FUEL'],
    ['an endless generator', 'function* f() { for (;;) yield 1; } for (const x of f()) {}', 'SCRIPT_FUEL'],
    ['a pattern that backtracks for ever', '/^(a+)+$/.test("a".repeat(40) + "b")', 'SCRIPT_FUEL'],
    ['a memory bomb of texts', 'const all = []; for (;;) all.push("x".repeat(100000) + all.length)', 'SCRIPT_MEMORY'],
    ['a memory bomb of lists', 'const all = []; for (;;) all.push(new Array(1000).fill(1))', 'SCRIPT_MEMORY'],
    ['a memory bomb of objects', 'const all = []; for (;;) all.push({ a: 1, b: [1, 2, 3] })', 'SCRIPT_MEMORY'],
    ['a text that doubles', 'let s = "x"; for (;;) s += s', 'SCRIPT_MEMORY'],
    ['one list that is too large', 'new Array(4e7).fill(1)', 'SCRIPT_MEMORY'],
    ['recursion without end', '(function f() { return f() + 1; })()', 'SCRIPT_FAILED'],
    [
      'a result nested too deeply',
      'let a = []; for (let i = 0; i < 1e4; i++) a = [a]; common_data.a = a',
      'SCRIPT_RESULT_TOO_LARGE',
    ],
    ['a list too deep for a text', 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; String(a)', 'SCRIPT_FAILED'],
    ['JSON nested too deeply', 'JSON.parse("[".repeat(1e5) + "]".repeat(1e5))', 'SCRIPT_FAILED'],
    ['code nested too deeply', 'eval("(".repeat(1e5) + "1" + ")".repeat(1e5))', 'SCRIPT_FAILED'],
    ['a pattern nested too deeply', 'new RegExp("(?:".repeat(1e5) + ")".repeat(1e5))', 'SCRIPT_FAILED'],
    ['a result above a megabyte', 'common_data.a = "x".repeat(1100000)', 'SCRIPT_RESULT_TOO_LARGE'],
    ['a result that holds itself', 'common_data.a = common_data', 'SCRIPT_FAILED'],
    ['a result that JSON cannot say', 'common_data.a = 10n', 'SCRIPT_FAILED'],
    ['a broken frame', '}); throw 1; (function () {', 'SCRIPT_FAILED'],
  ];
  for (const [title, source, code] of cases) {
    test(`[L8] ${title}`, async () => {
      expect(await run(source)).toMatchObject({ kind: 'failed', failure: { code, class: 'script' } });
      await isWell();
    });
  }
});

test('[L8] a short change that makes a value too large is refused like a large value', async () => {
  const surface = sampleSurface({ grown: Array.from({ length: 5 }, () => 'x'.repeat(190_000)) });
  const result = await patient.run(script('common_data.grown.push("y".repeat(100000))'), { wants: 'patch', surface });
  expect(result).toMatchObject({ failure: { code: 'SCRIPT_RESULT_TOO_LARGE', class: 'script' } });
});

describe('a loop inside the engine itself is killed from outside, and the next script runs', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['join', 'Array(1e9).join("x")'],
    ['reverse', 'const a = []; a[4294967290] = 1; a.reverse()'],
    ['indexOf', 'Array.prototype.indexOf.call({ length: 1e15 }, 1)'],
    ['recursion that catches its end', 'const f = () => { try { f(); } catch { f(); } }; f()'],
  ];
  for (const [title, source] of cases) {
    test(`[L8] ${title}`, async () => {
      const surface = sampleSurface({ a: 1 });
      const result = await hasty.run(script(source), { wants: 'patch', surface });
      expect(result).toMatchObject({ failure: { code: 'SCRIPT_TIMEOUT', class: 'script' } });
      const next = await hasty.run(script('common_data.a + 1'), { wants: 'value', surface });
      expect(next).toEqual({ kind: 'value', value: 2 });
    });
  }
});

describe('nothing of the host can be reached', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a constructor of this', 'typeof this.constructor.constructor("return typeof process")()'],
    ['a constructor of a function', '(() => {}).constructor("return typeof process + typeof require")()'],
    ['a constructor of a text', '"".constructor.constructor("return typeof process + typeof require")()'],
    ['a constructor of an agent', 'agents.coder.getRole.constructor("return typeof process + typeof require")()'],
    [
      'a generator constructor',
      '(function* () {}).constructor("yield typeof process + typeof require")().next().value',
    ],
    ['the global object', '(0, eval)("typeof globalThis.process + typeof globalThis.require")'],
    [
      'an error with a stack',
      '(() => { try { null.x; } catch (error) { return error.constructor.constructor("return typeof process + typeof require")(); } })()',
    ],
  ];
  for (const [title, source] of cases) {
    test(`[L8] by ${title}`, async () => {
      expect(['undefinedundefined', 'string']).toContain(((await run(source, 'value')) as { value: unknown }).value);
    });
  }

  const names = [
    'process',
    'require',
    'module',
    'fetch',
    'setTimeout',
    'console',
    'WebAssembly',
    'SharedArrayBuffer',
    'Atomics',
    'std',
    'os',
    'print',
    'scriptArgs',
    'performance',
    'crypto',
    'Intl',
    'Date',
    'Promise',
    'WeakRef',
    'FinalizationRegistry',
    'Proxy',
  ];
  test('[L8] none of the names that lead outside exists', async () => {
    const found = await run(`${JSON.stringify(names)}.filter((name) => name in (0, eval)('this'))`, 'value');
    expect(found).toEqual({ kind: 'value', value: [] });
  });

  test('[L8] neither import nor a promise leads anywhere', async () => {
    for (const source of ['import("fs")', 'import("node:fs").then(() => 1)', '(async () => 1)()']) {
      expect(await run(source, 'value')).toMatchObject({ failure: { message: 'TypeError: A script cannot wait.' } });
    }
  });
});

describe('a script has no clock and no dice', () => {
  for (const source of [
    'Date.now()',
    'new Date()',
    'Math.random()',
    'performance.now()',
    'Function("return Date.now()")()',
    'eval("Math.random()")',
  ]) {
    test(`[L9] ${source}`, async () => {
      expect(codeOf(await run(source, 'value'))).toBe('SCRIPT_FAILED');
    });
  }
});

describe('what a script does to the language is gone with it', () => {
  const pollutions = [
    'Object.prototype.polluted = 1',
    'Array.prototype.map = () => "mine"',
    'JSON.stringify = () => "1"; JSON.parse = () => ({})',
    'Object.hasOwn = () => true; Object.keys = () => []',
    'Object.prototype.toJSON = () => "mine"',
    'globalThis.common_data = { a: 100 }',
    'Object.defineProperty(Object.prototype, "a", { get() { return 100; } })',
    'Object.freeze(Object.prototype)',
    'Symbol.prototype.x = 1; RegExp.prototype.test = () => true',
  ];
  for (const source of pollutions) {
    test(`[L8] ${source}`, async () => {
      await run(source);
      const after = await run(
        '[({}).polluted ?? null, [1].map((x) => x + 1), /b/.test("a"), common_data.a, Symbol().x ?? null]',
        'value',
      );
      expect(after).toEqual({ kind: 'value', value: [null, [2], false, 1, null] });
    });
  }
});

describe('a strange result is JSON or an error', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['({ get a() { return 1; } })', { a: 1 }],
    ['({ toJSON() { return { b: 2 }; } })', { b: 2 }],
    ['[() => 1, Symbol("s"), undefined, NaN]', [null, null, null, null]],
    ['new Map([[1, 2]])', {}],
    ['Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } })', { own: 2 }],
    ['(() => 1)', null],
    ['-0', 0],
  ];
  for (const [source, value] of cases) {
    test(`[L8] ${source}`, async () => {
      expect(await run(source, 'value')).toEqual({ kind: 'value', value });
    });
  }
});

test('[L9] an endless loop ends at the same step each time', async () => {
  const runner = await loadScriptRunner({ memoryBytes: 32_000_000 });
  const steps = (fuel: number): string | null => {
    const job: ScriptJob = {
      source: 'let n = 0; try { for (;;) { n++; common_data.n = n; } } finally { common_data.never = true; }',
      reads: ['common_data'],
      wants: 'patch',
      data: '{}',
      rest: '{}',
      fuel,
    };
    const { outcome, isBroken } = runner.run(job);
    return isBroken || outcome.ok ? null : outcome.code;
  };
  expect([20, 20, 200].map(steps)).toEqual(['SCRIPT_FUEL', 'SCRIPT_FUEL', 'SCRIPT_FUEL']);
  const longest = async (): Promise<number> => {
    const ends = (turns: number): boolean =>
      runner.run({
        source: `for (let i = 0; i < ${turns}; i++) {}`,
        reads: [],
        wants: 'patch',
        data: '{}',
        rest: '{}',
        fuel: 5,
      }).outcome.ok;
    let [low, high] = [1, 1_000_000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (ends(middle)) low = middle;
      else high = middle;
    }
    return low;
  };
  const first = await longest();
  expect(first).toBeGreaterThan(1000);
  expect(await longest()).toBe(first);
  expect(await longest()).toBe(first);
});

test('[L8] while one script hangs in native code another one runs, and the main thread stays free', async () => {
  const own = createIsolate({ timeoutMs: 1000 });
  const surface = sampleSurface({ a: 1 });
  const order: string[] = [];
  const hung = own
    .run(script('Array(1e9).join("x")'), { wants: 'value', surface })
    .then((result) => order.push(codeOf(result)));
  const quick = own
    .run(script('common_data.a + 1'), { wants: 'value', surface })
    .then((result) => order.push(codeOf(result)));
  await Promise.all([hung, quick]);
  await own.close();
  expect(order).toEqual(['value', 'SCRIPT_TIMEOUT']);
});

test('[L8] a row of killed scripts leaves a pool that works', async () => {
  const own = createIsolate({ timeoutMs: 200, threads: 1 });
  const surface = sampleSurface({ a: 1 });
  const bombs = await Promise.all(
    Array.from({ length: 4 }, () => own.run(script('Array(1e9).join("x")'), { wants: 'value', surface })),
  );
  expect(bombs.map(codeOf)).toEqual(Array.from({ length: 4 }, () => 'SCRIPT_TIMEOUT'));
  expect(await own.run(script('common_data.a + 1'), { wants: 'value', surface })).toEqual({ kind: 'value', value: 2 });
  await own.close();
});
