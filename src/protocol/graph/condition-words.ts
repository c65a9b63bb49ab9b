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
  // "a or b and c" does not say which two belong together.
  if ([left, right].some((part) => part.kind === 'logical' && part.operator !== operator)) return null;
  const [one, other] = [conditionWords(left), conditionWords(right)];
  if (operator === '??' || one === null || other === null) return null;
  return `${one} ${operator === '&&' ? 'and' : 'or'} ${other}`;
}

function negated(operand: Expression): string | null {
  const name = nameOf(operand);
  return name === null ? null : `not ${name}`;
}

/** What stands between two names; of a value, equality is a colon. */
const SIGNS: Readonly<Partial<Record<BinaryOperator, string>>> = {
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
  '==': '=',
  '===': '=',
  '!=': '≠',
  '!==': '≠',
};

function compared({ operator, left, right }: Of<'binary'>): string | null {
  const [name, sign] = [nameOf(left), SIGNS[operator]];
  if (name === null || sign === undefined) return null;
  if (right.kind === 'literal' || right.kind === 'undefined') return withValue(name, sign, right);
  const other = nameOf(right);
  // Two names may end alike on different paths.
  return other === null || other === name ? null : `${name} ${sign} ${other}`;
}

function withValue(name: string, sign: string, right: Expression): string | null {
  const isEquality = sign === '=' || sign === '≠';
  if (isEquality && isNothing(right)) return sign === '=' ? `no ${name}` : name;
  const value = valueOf(right);
  if (value === null) return null;
  return isEquality ? `${name}: ${sign === '=' ? '' : 'not '}${value}` : `${name} ${sign} ${value}`;
}

const isNothing = (expression: Expression): boolean =>
  expression.kind === 'undefined' || (expression.kind === 'literal' && [null, ''].includes(expression.value as string));

/** As the author wrote it: `feature_x` may be the name of something. */
function valueOf(expression: Expression): string | null {
  if (expression.kind !== 'literal') return null;
  const { value } = expression;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
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
