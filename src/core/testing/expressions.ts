import type { BinaryOperator, Expression, IsolateSource, Program } from '../model/expression.ts';
import type { Json } from '../model/json.ts';

/** Conditions and scripts as the data they are, so that tests of the interpreter need no parser. */
export const literal = (value: Json): Expression => ({ kind: 'literal', value });

export const name = (text: string): Expression => ({ kind: 'name', name: text });

export const member = (object: Expression, property: string): Expression => ({
  kind: 'member',
  object,
  property,
  optional: false,
});

export const variable = (property: string): Expression => member(name('common_data'), property);

export const binary = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({
  kind: 'binary',
  operator,
  left,
  right,
});

export const equals = (left: Expression, right: Json): Expression => binary('===', left, literal(right));

/** Reading a member of what is not there: the usual way for a condition to throw. */
export const throwing: Expression = member(variable('nowhere'), 'deeper');

export const isolate = (source: string): IsolateSource => ({ kind: 'isolate', source, reads: ['common_data'] });

/** `set({ count: plus })` is the script `common_data.count = plus`. */
export const set = (values: Readonly<Record<string, Expression>>): Program => ({
  kind: 'assignments',
  steps: Object.entries(values).map(([key, value]) => ({ path: [key], value })),
});

export const addTo = (key: string, amount: number): Program =>
  set({ [key]: binary('+', variable(key), literal(amount)) });
