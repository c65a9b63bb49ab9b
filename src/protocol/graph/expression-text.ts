import type { Expression, Program } from '../../core/model/expression.ts';

/** An expression as its author would write it; for drawings and messages, never to be parsed again. */
export function expressionText(expression: Expression): string {
  return TEXTS[expression.kind](expression as never);
}

export function programText(program: Program): string {
  if (program.kind === 'isolate') return program.source.trim();
  return program.steps.map((step) => `${step.path.join('.')} = ${expressionText(step.value)}`).join('; ');
}

type TextOf<Kind extends Expression['kind']> = (expression: Extract<Expression, { readonly kind: Kind }>) => string;

const list = (expressions: readonly Expression[]): string => expressions.map(expressionText).join(', ');

const TEXTS: { readonly [Kind in Expression['kind']]: TextOf<Kind> } = {
  literal: ({ value }) => JSON.stringify(value),
  undefined: () => 'undefined',
  name: ({ name }) => name,
  'parsed-call': ({ tool }) => `function.${tool}`,
  member: ({ object, property, optional }) => `${expressionText(object)}${optional ? '?.' : '.'}${property}`,
  index: ({ object, index, optional }) => `${expressionText(object)}${optional ? '?.' : ''}[${expressionText(index)}]`,
  chain: ({ body }) => expressionText(body),
  call: (call) => `${expressionText(call.object)}${call.optional ? '?.' : '.'}${call.method}(${list(call.arguments)})`,
  unary: ({ operator, operand }) => `${operator}${operator === 'typeof' ? ' ' : ''}${inner(operand)}`,
  binary: ({ operator, left, right }) => `${inner(left)} ${operator} ${inner(right)}`,
  logical: ({ operator, left, right }) => `${inner(left)} ${operator} ${inner(right)}`,
  conditional: ({ test, then, otherwise }) => `${inner(test)} ? ${inner(then)} : ${inner(otherwise)}`,
  template: ({ texts, values }) =>
    `\`${texts.map((text, index) => text + (values[index] === undefined ? '' : `\${${expressionText(values[index])}}`)).join('')}\``,
  array: ({ items }) => `[${list(items)}]`,
  object: ({ entries }) => `{ ${entries.map(([key, value]) => `${key}: ${expressionText(value)}`).join(', ')} }`,
  isolate: ({ source }) => source.trim(),
};

const COMPOUND = new Set<Expression['kind']>(['binary', 'logical', 'conditional']);

const inner = (expression: Expression): string =>
  COMPOUND.has(expression.kind) ? `(${expressionText(expression)})` : expressionText(expression);
