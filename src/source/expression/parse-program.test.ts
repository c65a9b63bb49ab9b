import { describe, expect, test } from 'vitest';
import { runAssignments } from '../../core/evaluate/assignments.ts';
import type { Program } from '../../core/model/expression.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { parseProgram } from './parse-code.ts';
import { sampleSurface } from './testing/sample-surface.ts';

function read(source: string): Program {
  const parsed = parseProgram(source);
  if (!parsed.ok) throw new Error(`${source}: ${parsed.message}`);
  return parsed.value;
}

function run(source: string, data: JsonObject = {}): JsonObject {
  const program = read(source);
  if (program.kind !== 'assignments') throw new Error(`${source} needs the isolate`);
  return runAssignments(program, sampleSurface(data)).set ?? {};
}

describe('every script of the document is plain assignments', () => {
  const cases: readonly (readonly [string, JsonObject])[] = [
    ['() => { /* initialization */ }', {}],
    [
      "() => { this.common_data.current_task = 'Perform following task: ' + this.common_data.task_to_do; this.common_data.review_instruction = 'review coder\\'s work, provide continue_message or work_summary'; }",
      {
        current_task: 'Perform following task: build',
        review_instruction: "review coder's work, provide continue_message or work_summary",
      },
    ],
    [
      '() => { this.common_data.current_task = function.review_work.arguments.continue_message; }',
      { current_task: 'Add tests.' },
    ],
    [
      '() => { this.common_data.feedback = function.review_work.arguments.continue_message; }',
      { feedback: 'Add tests.' },
    ],
    ['() => { this.common_data.work_summary = function.review_work.arguments.work_summary; }', {}],
    [
      "() => { this.common_data.prompt = 'Analyze: ' + this.common_data.task_to_do + '. Focus on: risks.'; }",
      { prompt: 'Analyze: build. Focus on: risks.' },
    ],
    ["() => { this.common_data.analysis = this.getAgent('coder').getLastResponse(); }", { analysis: 'Done.' }],
    ['() => { this.common_data.sub_result = this.sub_workflow_result; }', { sub_result: { status: 'ok' } }],
    [
      "executionContext => {\n  this.common_data.current_task = 'New task: ' + this.common_data.task_to_do;\n  this.common_data.iteration_count = (this.common_data.iteration_count || 0) + 1;\n};",
      { current_task: 'New task: build', iteration_count: 1 },
    ],
  ];
  for (const [source, set] of cases) {
    test(`[SM5] ${source}`, () => {
      expect(run(source, { task_to_do: 'build' })).toEqual(set);
    });
  }
});

describe('a script may be written in several ways', () => {
  const forms = [
    'this.common_data.n = 1',
    'common_data.n = 1;',
    'variables.n = 1',
    'common_data.variables.n = 1',
    'executionContext.common_data.n = 1',
    "this.common_data['n'] = 1",
    '() => { this.common_data.n = 1; }',
    '() => this.common_data.n = 1',
    '(() => { this.common_data.n = 1; })',
    'executionContext => { executionContext.common_data.n = 1; }',
    '(context) => { context.common_data.n = 1; }',
    'function () { this.common_data.n = 1; }',
    'function script(context) { context.common_data.n = 1; }',
    "'use strict'; common_data.n = 1",
    'common_data.m = 0, common_data.n = common_data.m + 1',
    'common_data.n ??= 1',
    'common_data.n = 0; common_data.n++',
    'common_data.n = 3; common_data.n -= 2',
  ];
  for (const source of forms) {
    test(`[SM5] ${source}`, () => {
      expect(run(source)).toMatchObject({ n: 1 });
    });
  }
  for (const source of ['', '  ', ';;', '() => {}', 'function () {}', '// nothing', "'use strict'"]) {
    test(`[SM5] ${JSON.stringify(source)} does nothing`, () => {
      expect(read(source)).toEqual({ kind: 'assignments', steps: [] });
    });
  }
});

describe('everything else is kept as JavaScript for the isolate', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['if (common_data.a) common_data.b = 1', 'if (common_data.a) common_data.b = 1'],
    ['() => { this.common_data.list.push(1); }', ' this.common_data.list.push(1); '],
    ['function () { return; }', ' return; '],
    ['context => { context.common_data.list.push(1); }', 'var context = this;\n context.common_data.list.push(1); '],
    ['({ common_data }) => { common_data.list.push(1); }', 'var { common_data } = this;\n common_data.list.push(1); '],
    ['() => ({ ...this.common_data })', '({ ...this.common_data });'],
    ['const x = 1; common_data.a = x;', 'const x = 1; common_data.a = x;'],
    ['common_data.list[0] = 1', 'common_data.list[0] = 1'],
    ['common_data.list.length = 0', 'common_data.list.length = 0'],
    ['common_data[common_data.key] = 1', 'common_data[common_data.key] = 1'],
    ['this.common_data = {}', 'this.common_data = {}'],
    ['delete common_data.a', 'delete common_data.a'],
    ['common_data.a = common_data.b = 1', 'common_data.a = common_data.b = 1'],
    ['common_data.n |= 1', 'common_data.n |= 1'],
  ];
  for (const [source, kept] of cases) {
    test(`[SM5] ${source}`, () => {
      expect(read(source)).toMatchObject({ kind: 'isolate', source: kept });
    });
  }
});

describe('where JavaScript would share an object between two places, the isolate decides', () => {
  const shared = [
    'common_data.a = common_data.b; common_data.a.x = 1',
    'common_data.a = common_data',
    'common_data.a = [common_data]',
    'common_data.a.b = common_data.a',
    'common_data.a = this.last_tool_calls; common_data.b = common_data.a; common_data.b.x = 1',
    'common_data.a = common_data.flag ? variables : 1',
  ];
  const apart = [
    'common_data.a = common_data.b',
    'common_data.stats = {}; common_data.stats.count = 0; common_data.stats.count += 1',
    'common_data.a.b = common_data.c + 1; common_data.a.c = 2',
    'common_data.a.text = function.review_work.arguments.continue_message',
    "common_data.a.text = this.getAgent('coder').getLastResponse(); common_data.a.done = true",
  ];
  for (const source of shared) test(`[SM5] isolate: ${source}`, () => expect(read(source).kind).toBe('isolate'));
  for (const source of apart) test(`[SM5] native: ${source}`, () => expect(read(source).kind).toBe('assignments'));
});

describe('a script with a mistake is refused with its reason', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['common_data = {}', '`common_data` itself cannot be assigned'],
    ['[agents] = [1]', '`agents` itself cannot be assigned'],
    ['counter = 1', '`counter` is not a known name'],
    ['() => { missing.x = 1 }', '`missing` is not a known name'],
    ['this.common_data.__proto__ = {}', '`__proto__` may not be assigned'],
    ['common_data.constructor.prototype.x = 1', 'may not be assigned'],
    ['(a, b) => {}', 'at most one parameter'],
    ['async () => {}', '`async` is refused'],
    ['for await (const x of []) {}', 'refused'],
    ['function* () {}', 'generator'],
    ['import fs from "fs"', '`import` is refused'],
    ['export const a = 1', '`export` is refused'],
    ['common_data.now = Date.now()', '`Date` is refused'],
    ['console.log(1)', '`console` is refused'],
    ['() => { this.common_data.a = ; }', 'Unexpected token'],
    ['function () { this.common_data.a = ; }', 'Unexpected token'],
    ['with (common_data) { a = 1 }', "'with' in strict mode"],
    ['{'.repeat(90_000), 'too deeply'],
  ];
  for (const [source, expected] of cases) {
    test(`[L3] ${source.slice(0, 60)}`, () => {
      const parsed = parseProgram(source);
      expect(parsed.ok ? 'accepted' : parsed.message).toContain(expected);
    });
  }
});

test('[L3] of two readings of a broken script, the one that got further tells the place', () => {
  expect(parseProgram('function () { this.common_data.a = ; }')).toMatchObject({ ok: false, offset: 35 });
});
