import type { Expression } from '../model/expression.ts';
import { unreachable } from '../model/fault.ts';

const LONGEST_DESCRIPTION = 120;

/** The expression as its author might have written it, for messages; long ones are cut. */
export function describeExpression(expression: Expression): string {
  const text = print(expression);
  return text.length <= LONGEST_DESCRIPTION ? text : `${text.slice(0, LONGEST_DESCRIPTION - 1)}…`;
}

function print(expression: Expression): string {
  switch (expression.kind) {
    case 'member':
    case 'index':
    case 'call':
    case 'chain':
      return printLink(expression);
    case 'unary':
    case 'binary':
    case 'logical':
    case 'conditional':
      return printOperation(expression);
    default:
      return printLeaf(expression);
  }
}

type Link = Extract<Expression, { kind: 'member' | 'index' | 'call' | 'chain' }>;

function printLink(link: Link): string {
  if (link.kind === 'chain') return print(link.body);
  const object = operand(link.object);
  const dot = link.optional ? '?.' : '.';
  switch (link.kind) {
    case 'member':
      return `${object}${dot}${link.property}`;
    case 'index':
      return `${object}${link.optional ? '?.' : ''}[${print(link.index)}]`;
    case 'call':
      return `${object}${dot}${link.method}(${printList(link.arguments)})`;
    default:
      return unreachable(link);
  }
}

type Operation = Extract<Expression, { kind: 'unary' | 'binary' | 'logical' | 'conditional' }>;

function printOperation(operation: Operation): string {
  switch (operation.kind) {
    case 'unary': {
      const space = operation.operator === 'typeof' || operation.operand.kind === 'unary' ? ' ' : '';
      return `${operation.operator}${space}${operand(operation.operand)}`;
    }
    case 'binary':
    case 'logical':
      return `${operand(operation.left)} ${operation.operator} ${operand(operation.right)}`;
    case 'conditional':
      return `${operand(operation.test)} ? ${operand(operation.then)} : ${operand(operation.otherwise)}`;
    default:
      return unreachable(operation);
  }
}

function printLeaf(leaf: Exclude<Expression, Link | Operation>): string {
  switch (leaf.kind) {
    case 'literal':
      return JSON.stringify(leaf.value);
    case 'undefined':
      return 'undefined';
    case 'name':
      return leaf.name;
    case 'parsed-call':
      return `function.${leaf.tool}`;
    case 'template':
      return printTemplate(leaf.texts, leaf.values);
    case 'array':
      return `[${printList(leaf.items)}]`;
    case 'object':
      return `{ ${leaf.entries.map(([key, value]) => `${JSON.stringify(key)}: ${print(value)}`).join(', ')} }`;
    case 'isolate':
      return leaf.source;
    default:
      return unreachable(leaf);
  }
}

function printTemplate(texts: readonly string[], values: readonly Expression[]): string {
  const parts = texts.map((text, at) => {
    const value = values[at];
    return value === undefined ? text : `${text}\${${print(value)}}`;
  });
  return `\`${parts.join('')}\``;
}

const printList = (expressions: readonly Expression[]): string => expressions.map(print).join(', ');

/** Parentheses around whatever could bind differently: readable and always right, if not always needed. */
function operand(expression: Expression): string {
  const text = print(expression);
  const needsParentheses = ['unary', 'binary', 'logical', 'conditional', 'object'].includes(expression.kind);
  return needsParentheses ? `(${text})` : text;
}
