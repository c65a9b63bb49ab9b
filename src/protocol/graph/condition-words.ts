import type { BinaryOperator, Expression } from '../../core/model/expression.ts';
import { expressionText } from './expression-text.ts';

/**
 * A condition in the words of its author's names, for drawings: `function.review.arguments.improvement_needed === true` is
 * "improvement needed: yes". Null where only the code says it well.
 */
export function conditionWords(condition: Expression): string | null {
  switch (condition.kind) {
    case 'literal':
      return typeof condition.value === 'boolean' ? (condition.value ? 'always' : 'never') : null;
    case 'logical':
      return joined(condition);
    case 'binary':
      return compared(condition);
    case 'unary':
      return condition.operator === '!' ? negated(condition.operand) : null;
    default:
      return nameOf(condition);
  }
}

type Of<Kind extends Expression['kind']> = Extract<Expression, { readonly kind: Kind }>;

function joined({ operator, left, right }: Of<'logical'>): string | null {
  const [one, other] = [conditionWords(left), conditionWords(right)];
  if (operator === '??' || one === null || other === null) return null;
  return `${one} ${operator === '&&' ? 'and' : 'or'} ${other}`;
}

function negated(operand: Expression): string | null {
  const name = nameOf(operand);
  return name === null ? null : `not ${name}`;
}

const SIGNS: Readonly<Partial<Record<BinaryOperator, string>>> = { '<': '<', '<=': '≤', '>': '>', '>=': '≥' };

function compared({ operator, left, right }: Of<'binary'>): string | null {
  const name = nameOf(left);
  if (name === null) return null;
  const sign = SIGNS[operator];
  const value = valueOf(right);
  if (sign !== undefined) return value === null ? null : `${name} ${sign} ${value}`;
  if (/^!==?$/.test(operator)) return unequal(name, right);
  return /^===?$/.test(operator) ? equal(name, right) : null;
}

function equal(name: string, right: Expression): string | null {
  if (isNothing(right)) return `no ${name}`;
  const value = valueOf(right);
  return value === null ? null : `${name}: ${value}`;
}

function unequal(name: string, right: Expression): string | null {
  if (isNothing(right)) return name;
  if (right.kind === 'literal' && typeof right.value === 'boolean') return `${name}: ${right.value ? 'no' : 'yes'}`;
  const value = valueOf(right);
  return value === null ? null : `${name}: not ${value}`;
}

const isNothing = (expression: Expression): boolean =>
  expression.kind === 'undefined' || (expression.kind === 'literal' && [null, ''].includes(expression.value as string));

function valueOf(expression: Expression): string | null {
  if (expression.kind !== 'literal') return nameOf(expression);
  const { value } = expression;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return spaced(value);
  return typeof value === 'number' ? String(value) : null;
}

/** The last name on a path says what it is; a count is named after what is counted. */
function nameOf(expression: Expression): string | null {
  if (expression.kind === 'chain') return nameOf(expression.body);
  if (expression.kind === 'name') return spaced(expression.name);
  if (expression.kind !== 'member') return null;
  if (expression.property !== 'length') return isPath(expression.object) ? spaced(expression.property) : null;
  const counted = nameOf(expression.object);
  return counted === null ? null : `number of ${counted}`;
}

const isPath = (expression: Expression): boolean => /^[\w.?$]+$/.test(expressionText(expression));

/** `improvementNeeded` and `improvement_needed` as two words. */
const spaced = (name: string): string =>
  /^[A-Z0-9_]+$/.test(name)
    ? name
    : name
        .replaceAll('_', ' ')
        .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
        .replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
