import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../core/evaluate/evaluate.ts';
import type { Expression } from '../../core/model/expression.ts';
import { parseExpression, parseProgram } from './parse-code.ts';
import { sampleSurface } from './testing/sample-surface.ts';

function read(source: string): Expression {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(`${source}: ${parsed.message}`);
  return parsed.value;
}

const data = { function: { y: 'property' }, x: { function: { y: 'deeper' } }, no: null };
const evaluate = (source: string): unknown => compileExpression(read(source))(sampleSurface(data));

const isolated = (source: string): string => {
  const expression = read(source);
  return expression.kind === 'isolate' ? expression.source : `native: ${JSON.stringify(expression)}`;
};

describe('the shorthand is the newest parsing call of that name', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['function.review_work.arguments.improvement_needed', true],
    ['function.review_work.arguments.improvement_needed === true', true],
    ['function . review_work . arguments . score', 3],
    ['function /* a.b */ .review_work // c\n .arguments.score', 3],
    ['function.review_work?.arguments?.score', 3],
    ['function?.review_work.arguments.score', 3],
    ['function.review_work["arguments"]["score"]', 3],
    ['function.review_work.arguments.files[1]', 'b.ts'],
    ['function.review_work.arguments.files.length', 2],
    ['function.review_work.arguments.files.includes("a.ts")', true],
    ['(function.review_work.arguments).score', 3],
    ['!function.review_work', false],
    ['typeof function.missing', 'undefined'],
    ['function.missing.arguments.a.b.c', undefined],
    ['function.missing.arguments.a[0].b', undefined],
    ['function.missing.arguments.list.includes(missing_is_not_read)', undefined],
    ['function.review_work.arguments.absent.deeper', undefined],
    ['function.review_work.arguments.score > 2 ? "many" : "few"', 'many'],
    ['`${function.review_work.arguments.score} of function.review_work`', '3 of function.review_work'],
    ['"function.review_work.arguments" + \'function.x\'', 'function.review_work.argumentsfunction.x'],
    ['common_data.function.y', 'property'],
    ['common_data.x.function.y', 'deeper'],
    ['common_data.x?.function?.y', 'deeper'],
    ['({ function: 1 }).function', 1],
  ];
  for (const [source, value] of cases) {
    test(`[SM5] ${source}`, () => {
      expect(evaluate(source.replace('missing_is_not_read', 'common_data.no.way'))).toEqual(value);
    });
  }
});

describe('in code for the isolate, the shorthand is rewritten and nothing else is', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['[function.a.arguments.b].map((x) => x)', '[$function.a?.arguments?.b].map((x) => x)'],
    ['/function.a/.test(function.a.b)', '/function.a/.test($function.a?.b)'],
    ['[1].map(function (x) { return function.a.b + x; })', '[1].map(function (x) { return $function.a?.b + x; })'],
    ['[1].map(function named(x) { return x; })', '[1].map(function named(x) { return x; })'],
    ['[...`function.a ${function.a["b"]}`]', '[...`function.a ${$function.a?.["b"]}`]'],
    ['[1].map((x) => x.function.y /* function.a */)', '[1].map((x) => x.function.y /* function.a */)'],
    ['(function.a /* . */ ).b.map((x) => x)', '($function.a /* . */ )?.b?.map((x) => x)'],
    ['function.a?.b.c.map((x) => x)', '$function.a?.b?.c?.map((x) => x)'],
    ['Math.max(function.a.b[function.c.d])', 'Math.max($function.a?.b?.[$function.c?.d])'],
  ];
  for (const [source, rewritten] of cases) {
    test(`[SM5] ${source}`, () => {
      expect(isolated(source)).toBe(rewritten);
    });
  }
});

test('[SM5] a shorthand may begin a statement, also after a line without a semicolon', () => {
  const parsed = parseProgram('common_data.list.pop()\nfunction.a.arguments.ok && common_data.list.push(1)');
  expect(parsed).toMatchObject({
    ok: true,
    value: { source: 'common_data.list.pop()\n$function.a?.arguments?.ok && common_data.list.push(1)' },
  });
});

describe('uses that cannot work are refused when the file is read', () => {
  const cases = [
    'function.a.b = 1',
    'function.a.b++',
    'function.a.b`text`',
    'new function.a.b()',
    'function.',
    'function',
    'function[common_data.x]',
    'function(',
    'let $function = 1',
    '$function.a',
    'for (function.a.b of [1]) {}',
    'f\\u0075nction.a.b',
  ];
  for (const source of cases) {
    test(`[SM5] ${source}`, () => {
      expect(parseProgram(source).ok).toBe(false);
    });
  }
});

test('[L8] comments after the word do not make reading slow', () => {
  const started = process.hrtime.bigint();
  expect(parseExpression(`function ${'/**/'.repeat(20_000)} x`).ok).toBe(false);
  expect(parseExpression(`function ${'// a\n'.repeat(15_000)} x`).ok).toBe(false);
  expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(2000);
});
