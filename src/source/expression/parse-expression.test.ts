import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../core/evaluate/evaluate.ts';
import { parseExpression } from './parse-code.ts';
import { sampleSurface } from './testing/sample-surface.ts';

function evaluate(source: string, data = {}, locals = {}): unknown {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(`${source}: ${parsed.message}`);
  return compileExpression(parsed.value)(sampleSurface(data, locals));
}

function problem(source: string): string {
  const parsed = parseExpression(source);
  return parsed.ok ? `accepted as ${parsed.value.kind}` : parsed.message;
}

function reads(source: string): readonly string[] {
  const parsed = parseExpression(source);
  if (!parsed.ok) return [parsed.message];
  return parsed.value.kind === 'isolate' ? parsed.value.reads : ['native'];
}

describe('every expression of the document is evaluated natively', () => {
  const data = {
    iteration_count: 3,
    max_iterations: 10,
    current_task: 'Write it',
    current_task_index: 1,
    task_list: [{ description: 'first' }, { description: 'second' }],
    business_analysis: 'sound',
    technical_spec: 'spec',
    implementation_result: 'code',
  };
  const cases: readonly (readonly [string, unknown])[] = [
    ['true', true],
    ['false', false],
    ['this.common_data.iteration_count < 5', true],
    ["this.getToolCalls('coder').length > 0", false],
    ["this.getToolCalls('reviewer').length > 0", true],
    ['function.review_work.arguments.improvement_needed === true', true],
    ['function.review_work.arguments.improvement_needed === false', false],
    ['function.task_approval.arguments.approved === false', false],
    ['common_data.current_task', 'Write it'],
    ['variables.max_iterations', 10],
    ['common_data.variables.max_iterations', 10],
    ['agents.coder.getLastResponse()', 'Done.'],
    ["this.getAgent('coder').getLastResponse()", 'Done.'],
    ['contexts.code_history.messages', sampleSurface().contexts['code_history']?.messages],
    ['contexts.code_history.messages[contexts.code_history.messages.length - 1].content', 'Done.'],
    [
      "'Task ' + common_data.current_task_index + ': ' + common_data.task_list[common_data.current_task_index].description",
      'Task 1: second',
    ],
    ["'Create a specification for: ' + common_data.business_analysis + '.'", 'Create a specification for: sound.'],
    [
      "'Original: ' + common_data.technical_spec + '. Implementation: ' + common_data.implementation_result",
      'Original: spec. Implementation: code',
    ],
    ['this.sub_workflow_result', { status: 'ok' }],
    ["'cat ' + quote(common_data.current_task) + quote([1, true])", "cat 'Write it''1' 'true'"],
    ['this.last_agent_response', 'Needs work.'],
    ['this.last_tool_calls.length', 1],
    ['this.last_parsing_tool_calls[0].function.name', 'review_work'],
    ["this.getContext('code_history').max_length", 50_000],
    ["this.agents.get('coder').getRole()", 'coder'],
    ['this.agents.reviewer.getContextRole()', 'user'],
    ["this.contexts.get('code_history').name", 'code_history'],
    ['agents.reviewer.getParsingToolCalls()[0].function.arguments.score', 3],
    ["this.evaluateExpression('common_data.current_task')", 'Write it'],
    ['executionContext.common_data.iteration_count', 3],
    ['() => this.common_data.iteration_count > 2', true],
    ['context => context.common_data.iteration_count > 2', true],
    ['true;', true],
  ];
  for (const [source, value] of cases) {
    test(`[SM5] ${source}`, () => {
      expect(evaluate(source, data)).toEqual(value);
    });
  }
});

test('[SM5] the long form of the shorthand needs the isolate and lists the names it reads', () => {
  const source =
    "this.last_parsing_tool_calls.find(call => call.function.name === 'review_work')?.function.arguments.improvement_needed === true";
  expect(reads(source)).toEqual(['last_parsing_tool_calls']);
});

test('[SM5] names of a pool or of a result are read bare or from this', () => {
  expect(evaluate('item.name + this.index', {}, { item: { name: 'n' }, index: 2 })).toBe('n2');
  expect(evaluate('typeof item')).toBe('undefined');
  expect(evaluate('this.item')).toBeUndefined();
  expect(() => evaluate('item')).toThrow('`item` has no value here.');
});

test('[SM5] a format may add its own names', () => {
  const parsed = parseExpression('verification.output.failed > 0', { names: ['verification'] });
  expect(parsed).toMatchObject({ ok: true, value: { kind: 'binary' } });
  expect(problem('verification.output.failed > 0')).toContain('`verification`');
});

describe('text that is no expression is an error that names the word', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['please do it', '`please`'],
    ['foo', '`foo`'],
    ['Write a test for common_data.task', '`Write`'],
    ['common_data.a + undefined_thing', '`undefined_thing`'],
    ["common_data.a + 'unfinished", 'Unterminated string'],
    ['common_data.', 'Unexpected token'],
    ['', 'no expression'],
    ['   // only a comment', 'no expression'],
    ['common_data.a; common_data.b', 'Unexpected token'],
    ['a => missing', '`missing`'],
  ];
  for (const [source, expected] of cases) {
    test(`[SM1] ${source === '' ? '(nothing)' : source}`, () => {
      expect(problem(source)).toContain(expected);
    });
  }
});

describe('what would make a replay differ or reach outside is refused while reading', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['Date.now() > 5', '`Date` is refused'],
    ['new Date()', '`Date` is refused'],
    ['Math.random() < 0.5', '`Math.random` is refused'],
    ['Math["random"]()', '`Math.random` is refused'],
    ['process.env.HOME', '`process` is refused'],
    ['require("fs")', '`require` is refused'],
    ['import("fs")', '`import` is refused'],
    ['import.meta.url', 'refused'],
    ['fetch("http://localhost")', '`fetch` is refused'],
    ['eval("1")', '`eval` is refused'],
    ['Function("return 1")()', '`Function` is refused'],
    ['globalThis.x', '`globalThis` is refused'],
    ['async () => 1', '`async` is refused'],
    ['await common_data.x', '`await` is refused'],
    ['setTimeout(() => 1)', '`setTimeout` is refused'],
    ['({ __proto__: common_data })', '`__proto__` is refused'],
    ["this.evaluateExpression('Date.now()')", '`Date` is refused'],
  ];
  for (const [source, expected] of cases) {
    test(`[L8] ${source}`, () => {
      expect(problem(source)).toContain(expected);
    });
  }
});

describe('the rest of JavaScript goes to the isolate, with the names it reads', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['Math.max(1, 2)', []],
    ['common_data.list.filter((entry) => entry.done).length', ['common_data']],
    ['variables.list.map(String)', ['common_data']],
    ['JSON.stringify(this.common_data.a)', ['common_data']],
    ['Object.keys(agents)', ['agents']],
    ["getAgent('a').getLastResponse().split(' ')", ['agents']],
    ["this.getContext('c').messages.map((m) => m.content)", ['contexts']],
    ['[item, index].flat()', ['locals']],
    ['this.item ?? [...this.last_tool_calls]', ['last_tool_calls', 'locals']],
    ['/a+/.test(last_agent_response)', ['last_agent_response']],
    ['(agents.coder, sub_workflow_result)', ['agents', 'sub_workflow_result']],
    ['(common_data.flag ? agents.coder : agents.reviewer).getLastResponse()', ['common_data', 'agents']],
  ];
  for (const [source, roots] of cases) {
    test(`[SM5] ${source}`, () => {
      expect(reads(source)).toEqual(roots);
    });
  }
  const everything = 8;
  for (const source of [
    'Object.keys(this)',
    '[this["a" + "b"]].flat()',
    'evaluateExpression(common_data.e)',
    '!this',
    '(function (self) { return self.a })',
  ]) {
    test(`[SM5] ${source} may read anything`, () => {
      expect(reads(source)).toHaveLength(everything);
    });
  }
});

test('[SM5] an expression is native as a whole or goes to the isolate', () => {
  const parsed = parseExpression('common_data.a > 1 && common_data.list.some((x) => x)');
  expect(parsed).toMatchObject({ ok: true, value: { kind: 'isolate' } });
});

describe('hostile sources end in a message', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['100 KB of brackets', '['.repeat(99_000)],
    ['100 KB of parentheses', '('.repeat(99_000)],
    ['a sum of 49,000 terms', `1${'+1'.repeat(49_000)}`],
    ['49,000 members', `common_data${'.a'.repeat(49_000)}`],
    ['49,000 calls', `common_data${'()'.repeat(49_000)}`],
    ['99,000 negations', '!'.repeat(99_000)],
    ['nested templates', '`${'.repeat(30_000)],
    ['nested arrows', '()=>'.repeat(24_000)],
    ['nested conditions', '1?'.repeat(49_000)],
    ['a source that is too long', `'${'x'.repeat(100_001)}'`],
    ['nested classes', `class extends ${'class extends '.repeat(6000)}`],
    ['nested new', 'new '.repeat(24_000)],
    ['a tower of powers', '1**'.repeat(33_000)],
    ['an assignment chain', 'a='.repeat(49_000)],
  ];
  for (const [name, source] of cases) {
    test(`[L8] ${name}`, () => {
      expect(problem(source)).toMatch(/too deeply|characters long|not a known name/);
    });
  }
});

test('[L3] the offset points at the mistake', () => {
  expect(parseExpression('common_data.a === missing')).toMatchObject({ ok: false, offset: 18 });
  expect(parseExpression('common_data.a ===')).toMatchObject({ ok: false, offset: 17 });
});
