import { EvaluationError } from './evaluation-error.ts';
import type { BinaryOperator, UnaryOperator } from '../model/expression.ts';
import type { Evaluate } from './builtin-surface.ts';

/** Longer texts are an error rather than a way to use up the host's memory by doubling. */
const LONGEST_TEXT = 16_000_000;

/** Values keep the types they have at run time; the host's own operators then give exactly JavaScript's conversions. */
type Operand = number;

export function binaryOperation(operator: BinaryOperator, left: Evaluate, right: Evaluate): Evaluate {
  return BINARY[operator](left as Read, right as Read);
}

export function unaryOperation(operator: UnaryOperator, operand: Evaluate): Evaluate {
  return UNARY[operator](operand);
}

export function bounded<T>(value: T): T {
  if (typeof value !== 'string' || value.length <= LONGEST_TEXT) return value;
  throw new EvaluationError(`A text grew to ${value.length} characters; at most ${LONGEST_TEXT} are allowed.`, {
    code: 'VALUE_TOO_LARGE',
  });
}

type Read = (...surface: Parameters<Evaluate>) => Operand;

const BINARY: Readonly<Record<BinaryOperator, (left: Read, right: Read) => Evaluate>> = {
  '===': (left, right) => (surface) => left(surface) === right(surface),
  '!==': (left, right) => (surface) => left(surface) !== right(surface),
  // oxlint-disable-next-line eslint/eqeqeq -- the author wrote the loose comparison
  '==': (left, right) => (surface) => left(surface) == right(surface),
  // oxlint-disable-next-line eslint/eqeqeq -- the author wrote the loose comparison
  '!=': (left, right) => (surface) => left(surface) != right(surface),
  '<': (left, right) => (surface) => left(surface) < right(surface),
  '<=': (left, right) => (surface) => left(surface) <= right(surface),
  '>': (left, right) => (surface) => left(surface) > right(surface),
  '>=': (left, right) => (surface) => left(surface) >= right(surface),
  '+': (left, right) => (surface) => bounded(left(surface) + right(surface)),
  '-': (left, right) => (surface) => left(surface) - right(surface),
  '*': (left, right) => (surface) => left(surface) * right(surface),
  '/': (left, right) => (surface) => left(surface) / right(surface),
  '%': (left, right) => (surface) => left(surface) % right(surface),
  '**': (left, right) => (surface) => left(surface) ** right(surface),
};

const UNARY: Readonly<Record<UnaryOperator, (operand: Evaluate) => Evaluate>> = {
  '!': (operand) => (surface) => !operand(surface),
  '-': (operand) => (surface) => -(operand(surface) as Operand),
  '+': (operand) => (surface) => Number(operand(surface)),
  typeof: (operand) => (surface) => typeof operand(surface),
};
