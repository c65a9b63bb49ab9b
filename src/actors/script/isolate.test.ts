import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { ScriptResult } from '../../core/record/task-fact.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { SurfaceData } from '../../core/evaluate/surface.ts';
import { parseExpression, parseProgram } from '../../source/expression/parse-code.ts';
import { sampleSurface } from '../../source/expression/testing/sample-surface.ts';
import { createIsolate } from './isolate.ts';

const isolate = createIsolate();
afterAll(() => isolate.close());

/** The way a file goes: read, and run in the isolate with nothing but what the reading found necessary. */
async function valueOf(source: string, surface = sampleSurface()): Promise<unknown> {
  const parsed = parseExpression(source);
  if (!parsed.ok || parsed.value.kind !== 'isolate') throw new Error(`${source} does not need the isolate`);
  const result = await isolate.run(parsed.value, {
    wants: 'value',
    surface: onlyOnDemand(surface, parsed.value.reads),
  });
  return result.kind === 'value' ? result.value : result;
}

async function patchOf(source: string, data: JsonObject, locals: JsonObject = {}): Promise<unknown> {
  const parsed = parseProgram(source);
  if (!parsed.ok || parsed.value.kind !== 'isolate') throw new Error(`${source} does not need the isolate`);
  const result = await isolate.run(parsed.value, { wants: 'patch', surface: sampleSurface(data, locals) });
  return result.kind === 'patch' ? result.patch : result;
}

/** A surface that objects when a root is built that the script was not said to read. */
function onlyOnDemand(surface: SurfaceData, reads: readonly string[]): SurfaceData {
  return new Proxy(surface, {
    get: (target, key, receiver): unknown => {
      if (key !== 'locals' && !reads.includes(String(key))) throw new Error(`${String(key)} was not announced`);
      return Reflect.get(target, key, receiver);
    },
  });
}

const code = (result: ScriptResult): string => (result.kind === 'failed' ? result.failure.code : result.kind);

describe('the whole surface is there', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['Math.max(common_data.a, variables.b, this.common_data.variables.a)', 2],
    [
      '[common_data === this.common_data, variables === common_data, executionContext === this].join()',
      'true,true,true',
    ],
    ["[this.getAgent('coder').getLastResponse(), getAgent('reviewer').getRole()].flat()", ['Done.', 'strict_reviewer']],
    ["[agents.coder.getContextRole(), this.agents.get('reviewer').getContextRole()].flat()", ['assistant', 'user']],
    [
      "[...agents.keys()].concat(agents.size, agents.has('coder'), agents.get('nobody') === undefined)",
      ['coder', 'reviewer', 2, true, true],
    ],
    ['[...this.agents].map(([name, agent]) => name + agent.getToolCalls().length)', ['coder0', 'reviewer1']],
    ["this.getToolCalls('reviewer').map((call) => call.function.name)", ['review_work']],
    [
      "agents.reviewer.getParsingToolCalls().find((call) => call.function.name === 'review_work').function.arguments.score",
      3,
    ],
    ['["it\'s", ["a b", 3]].map((each) => quote(each))', [String.raw`'it'\''s'`, "'a b' '3'"]],
    ['contexts.code_history.messages.map((message) => message.author)', ['workflow', 'coder']],
    ["this.getContext('code_history').messages.filter((message) => message.role === 'user').length", 1],
    ["this.contexts.get('code_history').name.split('_')", ['code', 'history']],
    ['[this.sub_workflow_result.status].concat(last_agent_response)', ['ok', 'Needs work.']],
    ['[this.last_tool_calls, last_parsing_tool_calls].flat().length', 2],
    [
      '[function.review_work.arguments.score, typeof function.nobody, function.nobody.arguments.a.b ?? null].flat()',
      [3, 'undefined', null],
    ],
    [
      "this.last_parsing_tool_calls.find(call => call.function.name === 'review_work')?.function.arguments.improvement_needed === true",
      true,
    ],
    ["[0].map(() => this.evaluateExpression('common_data.a + 1'))[0]", 2],
    ['this.evaluateExpression(common_data.expression)', 2],
    ['this.evaluateExpression([1])', [1]],
    ['(function (self) { return self.common_data.a; })', 1],
    ['() => { return [this.common_data.b]; }', [2]],
    ['Object.keys(common_data)', ['a', 'b', 'expression']],
    ['[item, this.index].flat()', ['thing', 4]],
    ['[].find(() => true)', null],
    ['Number("x") || [NaN]', [null]],
  ];
  for (const [source, value] of cases) {
    test(`[SM5] ${source}`, async () => {
      const data = { a: 1, b: 2, expression: 'variables.b' };
      expect(await valueOf(source, sampleSurface(data, { item: 'thing', index: 4 }))).toEqual(value);
    });
  }
});

describe('a script changes the data, and the patch says how', () => {
  const before = { list: [1, 2], n: 1, keep: { deep: [1] }, text: 'x' };
  const cases: readonly (readonly [string, unknown])[] = [
    ['() => { this.common_data.list.push(3); }', { inside: { list: { add: [3] } } }],
    ['for (const key of Object.keys(common_data)) delete common_data[key]', { unset: ['list', 'n', 'keep', 'text'] }],
    ['if (common_data.n === 2) common_data.n = 5', {}],
    ['common_data.keep = JSON.parse(JSON.stringify(common_data.keep))', {}],
    ['const { common_data } = this; common_data.n++; return 5', { set: { n: 2 } }],
    [
      'context => { context.common_data.list = context.common_data.list.map((x) => x * 2); }',
      { inside: { list: { drop: 1, add: [4] } } },
    ],
    ['({ common_data }) => { common_data.list.length = 0; }', { inside: { list: { drop: 2 } } }],
    [
      'function () { let sum = 0; for (const x of this.common_data.list) sum += x; this.common_data.n = sum; }',
      { set: { n: 3 } },
    ],
    ['common_data.list[0] = function.review_work.arguments.score', { inside: { list: { set: { 0: 3 } } } }],
    ['this.common_data = { only: 1 }', { set: { only: 1 }, unset: ['list', 'n', 'keep', 'text'] }],
    ['[variables.n, common_data.variables.text] = [7, "y"]', { set: { n: 7, text: 'y' } }],
    ['common_data.variables = { own: [1].at(0) }; Math.max(1)', { set: { variables: { own: 1 } } }],
    [
      'common_data.a = common_data.keep; common_data.a.deep.push(2)',
      { set: { a: { deep: [1, 2] } }, inside: { keep: { inside: { deep: { add: [2] } } } } },
    ],
    ['common_data.n = undefined; [1].map(String)', { unset: ['n'] }],
    ['common_data.n = [item, index]; [1].map(String)', { set: { n: ['thing', 4] } }],
  ];
  for (const [source, patch] of cases) {
    test(`[SM5] ${source}`, async () => {
      expect(await patchOf(source, before, { item: 'thing', index: 4 })).toEqual(patch);
      expect(before).toEqual({ list: [1, 2], n: 1, keep: { deep: [1] }, text: 'x' });
    });
  }
});

describe('a failure has its reason', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['throw new Error("no luck")', 'Error: no luck'],
    ['throw "a text"', 'a text'],
    ['common_data.nothing.at.all.push(1)', "TypeError: cannot read property 'at' of undefined"],
    [
      "this.getAgent('nobody').getLastResponse().at(0).x()",
      'There is no agent `nobody` here; there is: coder, reviewer.',
    ],
    ["[contexts.get('c'), this.getContext('c')]", 'There is no context `c` here; there is: code_history.'],
    ['[item, missing()]; function missing() { return index; }', "'item' is not defined"],
    ['this.common_data = 5', 'common_data must stay an object.'],
    ['throw Symbol("s")', 'cannot be shown'],
    ['throw { toString() { throw 1; } }', 'cannot be shown'],
    ['Object.defineProperty(common_data, "__proto__", { value: 1, enumerable: true })', '`__proto__` is refused'],
    ['common_data.deep = JSON.parse(\'{"__proto__":{"x":1}}\')', '`__proto__` is refused'],
    ['common_data["constr" + "uctor"] = 1', '`constructor` may not be assigned'],
  ];
  for (const [source, words] of cases) {
    test(`[L3] ${source}`, async () => {
      expect(await patchOf(source, {})).toMatchObject({
        kind: 'failed',
        failure: { code: 'SCRIPT_FAILED', class: 'script' },
      });
      expect(await patchOf(source, {})).toMatchObject({
        failure: { message: expect.stringContaining(words) as string },
      });
    });
  }
});

test('[SM5] a text that merely names the refused key is an ordinary value', async () => {
  expect(await patchOf('common_data.list = ["__proto__"].flat()', {})).toEqual({
    set: { list: ['__proto__'] },
  });
});

test('[L9] many scripts at once are all answered, each with its own result', async () => {
  const results = await Promise.all(Array.from({ length: 60 }, (_, at) => valueOf(`[${at}].map((x) => x * 2)[0]`)));
  expect(results).toEqual(Array.from({ length: 60 }, (_, at) => at * 2));
});

test('[L8] a closed isolate answers what was open and what comes later, as cancelled', async () => {
  const own = createIsolate();
  const options = { wants: 'value', surface: sampleSurface() } as const;
  const open = own.run({ kind: 'isolate', source: '(() => { while (true) {} })()', reads: [] }, options);
  await own.close();
  const late = await own.run({ kind: 'isolate', source: '1', reads: [] }, options);
  for (const result of [await open, late]) {
    expect(result).toMatchObject({ kind: 'failed', failure: { code: 'ISOLATE_CLOSED', class: 'cancelled' } });
  }
});

test('[L3] a sandbox that cannot start is a failure in words, each time it is asked', async () => {
  const impossible = createIsolate({ memoryBytes: 1e12 });
  const options = { wants: 'value', surface: sampleSurface() } as const;
  for (const source of ['1', '2']) {
    const result = await impossible.run({ kind: 'isolate', source, reads: [] }, options);
    expect(result).toMatchObject({ kind: 'failed', failure: { code: 'ISOLATE_LOST', class: 'crash' } });
  }
  await impossible.close();
});

test('[L8] data beyond what a script may read is a clear failure, not a long wait', async () => {
  const huge = sampleSurface({ text: 'x'.repeat(5_000_000) });
  const result = await isolate.run(
    { kind: 'isolate', source: '1', reads: ['common_data'] },
    { wants: 'value', surface: huge },
  );
  expect(code(result)).toBe('SCRIPT_INPUT_TOO_LARGE');
});

test('[L8] an idle isolate does not keep the process alive', async () => {
  const file = fileURLToPath(new URL('./isolate.ts', import.meta.url));
  const program = `
    const { createIsolate } = await import(${JSON.stringify(file)});
    const surface = ${JSON.stringify(sampleSurface({ a: 20 }))};
    const result = await createIsolate().run({ kind: 'isolate', source: 'common_data.a + 1', reads: ['common_data'] }, { wants: 'value', surface });
    console.log(JSON.stringify(result));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: 20_000,
  });
  expect(stdout.trim()).toBe('{"kind":"value","value":21}');
});
