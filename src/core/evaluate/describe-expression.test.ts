import { expect, test } from 'vitest';
import { describeExpression } from './describe-expression.ts';
import type { Expression } from '../model/expression.ts';

const name = (text: string): Expression => ({ kind: 'name', name: text });
const one: Expression = { kind: 'literal', value: 1 };
const sum: Expression = { kind: 'binary', operator: '+', left: name('a'), right: one };

const CASES: readonly (readonly [Expression, string])[] = [
  [{ kind: 'literal', value: 'x' }, '"x"'],
  [{ kind: 'undefined' }, 'undefined'],
  [{ kind: 'parsed-call', tool: 't' }, 'function.t'],
  [{ kind: 'member', object: sum, property: 'p', optional: false }, '(a + 1).p'],
  [{ kind: 'chain', body: { kind: 'member', object: name('a'), property: 'p', optional: true } }, 'a?.p'],
  [{ kind: 'index', object: name('a'), index: one, optional: true }, 'a?.[1]'],
  [{ kind: 'call', object: name('a'), method: 'm', arguments: [one, sum], optional: true }, 'a?.m(1, a + 1)'],
  [{ kind: 'unary', operator: '!', operand: sum }, '!(a + 1)'],
  [{ kind: 'unary', operator: 'typeof', operand: name('a') }, 'typeof a'],
  [{ kind: 'logical', operator: '??', left: name('a'), right: sum }, 'a ?? (a + 1)'],
  // oxlint-disable-next-line unicorn/no-thenable -- the model's own field
  [{ kind: 'conditional', test: name('a'), then: one, otherwise: name('b') }, 'a ? 1 : b'],
  [{ kind: 'template', texts: ['<', '>'], values: [name('a')] }, '`<${a}>`'],
  [{ kind: 'array', items: [one, name('a')] }, '[1, a]'],
  [{ kind: 'object', entries: [['k', one]] }, '{ "k": 1 }'],
  [{ kind: 'isolate', source: 'f()', reads: [] }, 'f()'],
];

for (const [expression, text] of CASES) {
  test(`[L3] a message shows ${text}`, () => {
    expect(describeExpression(expression)).toBe(text);
  });
}

test('[L3] a long expression is cut', () => {
  const long = describeExpression({ kind: 'literal', value: 'x'.repeat(500) });
  expect(long).toHaveLength(120);
  expect(long.endsWith('…')).toBe(true);
});
