import type * as acorn from 'acorn';
import type { BinaryOperator, Expression, UnaryOperator } from '../../core/model/expression.ts';
import { callKind } from '../../core/evaluate/builtin-surface.ts';
import { EVALUATE_METHOD, inspectNames, type NameScope, ROOT_NAMES, SELF_METHOD_READS } from './known-names.ts';
import { parsed, parseExpressionTree, SourceProblem, staticProperty } from './syntax.ts';

/** The expression as data that the core evaluates by itself, or null where only the isolate can run it. */
export function lowerExpression(node: acorn.AnyNode, scope: NameScope): Expression | null {
  const lower = LOWERINGS[node.type] as Lowering | undefined;
  return lower === undefined ? null : lower(node, scope);
}

type Lowering = (node: acorn.AnyNode, scope: NameScope) => Expression | null;
type Lowerings = {
  readonly [Type in acorn.AnyNode['type']]?: (
    node: Extract<acorn.AnyNode, { type: Type }>,
    scope: NameScope,
  ) => Expression | null;
};

const LOWERINGS: Lowerings = {
  Literal: lowerLiteral,
  Identifier: (node, scope) => lowerName(node.name, scope),
  MemberExpression: lowerMember,
  ChainExpression: lowerChain,
  CallExpression: lowerCall,
  UnaryExpression: lowerUnary,
  BinaryExpression: lowerBinary,
  LogicalExpression: lowerLogical,
  ConditionalExpression: lowerConditional,
  TemplateLiteral: lowerTemplate,
  ArrayExpression: lowerArray,
  ObjectExpression: lowerObject,
};

function lowerLiteral({ value }: acorn.Literal): Expression | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return INFINITE;
  const isJson = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isJson ? { kind: 'literal', value: value as string | number | boolean | null } : null;
}

const number = (value: number): Expression => ({ kind: 'literal', value });
const quotient = (left: number): Expression => ({
  kind: 'binary',
  operator: '/',
  left: number(left),
  right: number(0),
});
/** JSON cannot express these, so they are written as the divisions that make them. */
const INFINITE = quotient(1);
const NOT_A_NUMBER = quotient(0);

function lowerName(name: string, scope: NameScope): Expression | null {
  if (scope.localNames.has(name) || ROOT_NAMES.has(name)) return { kind: 'name', name };
  switch (name) {
    case 'undefined':
      return { kind: 'undefined' };
    case 'NaN':
      return NOT_A_NUMBER;
    case 'Infinity':
      return INFINITE;
    default:
      return null;
  }
}

const SELF: Expression = { kind: 'name', name: 'this' };

/** `this` is native only as the object of a link: as a value it would be more than data. */
function lowerObjectOfLink(node: acorn.AnyNode, scope: NameScope): Expression | null {
  const isSelf = node.type === 'ThisExpression' || (node.type === 'Identifier' && scope.selfNames.has(node.name));
  return isSelf ? SELF : lowerExpression(node, scope);
}

function lowerMember(node: acorn.MemberExpression, scope: NameScope): Expression | null {
  const property = staticProperty(node);
  if (node.object.type === 'Identifier' && node.object.name === 'function') return lowerShorthand(node, property);
  const object = lowerObjectOfLink(node.object, scope);
  if (object === null) return null;
  if (property !== null) return { kind: 'member', object, property, optional: node.optional };
  const index = node.computed ? lowerExpression(node.property, scope) : null;
  return index === null ? null : { kind: 'index', object, index, optional: node.optional };
}

function lowerShorthand(node: acorn.MemberExpression, tool: string | null): Expression {
  if (tool !== null) return { kind: 'parsed-call', tool };
  throw new SourceProblem('After `function.` comes the name of a tool.', node.start);
}

function lowerChain(node: acorn.ChainExpression, scope: NameScope): Expression | null {
  const body = lowerExpression(node.expression, scope);
  if (body === null) return null;
  return body.kind === 'parsed-call' ? body : { kind: 'chain', body };
}

function lowerCall(node: acorn.CallExpression, scope: NameScope): Expression | null {
  const call = calleeOf(node, scope);
  if (call === null) return null;
  if (call.object === SELF && call.method === EVALUATE_METHOD) return inlineEvaluation(node, scope);
  if (callKind(call.object, call.method) === null) return null;
  const list = lowerAll(node.arguments, scope);
  return list === null ? null : { kind: 'call', ...call, arguments: list };
}

interface Callee {
  readonly object: Expression;
  readonly method: string;
  readonly optional: boolean;
}

function calleeOf(node: acorn.CallExpression, scope: NameScope): Callee | null {
  const { callee } = node;
  if (node.optional) return null;
  if (callee.type === 'Identifier') {
    const isMethod = SELF_METHOD_READS.has(callee.name) || callee.name === EVALUATE_METHOD;
    return isMethod ? { object: SELF, method: callee.name, optional: false } : null;
  }
  const method = staticProperty(callee);
  if (method === null || callee.type !== 'MemberExpression') return null;
  const object = lowerObjectOfLink(callee.object, scope);
  return object === null ? null : { object, method, optional: callee.optional };
}

/** `evaluateExpression('…')` with a literal text is that expression. */
function inlineEvaluation(node: acorn.CallExpression, scope: NameScope): Expression | null {
  const [text] = node.arguments;
  if (node.arguments.length !== 1 || text?.type !== 'Literal' || typeof text.value !== 'string') return null;
  const inner = parsed(() => {
    const tree = parseExpressionTree(String(text.value));
    inspectNames(tree, scope);
    return lowerExpression(tree, scope);
  });
  if (!inner.ok) throw new SourceProblem(inner.message, text.start);
  return inner.value;
}

const UNARY: ReadonlySet<string> = new Set<UnaryOperator>(['!', '-', '+', 'typeof']);

function lowerUnary(node: acorn.UnaryExpression, scope: NameScope): Expression | null {
  const operand = lowerExpression(node.argument, scope);
  if (node.operator === 'void' && operand?.kind === 'literal') return { kind: 'undefined' };
  if (operand === null || !UNARY.has(node.operator)) return null;
  if (node.operator === '-' && operand.kind === 'literal' && typeof operand.value === 'number' && operand.value !== 0) {
    return number(-operand.value);
  }
  return { kind: 'unary', operator: node.operator as UnaryOperator, operand };
}

const BINARY: ReadonlySet<string> = new Set<BinaryOperator>([
  ...(['===', '!==', '==', '!=', '<', '<=', '>', '>='] as const),
  ...(['+', '-', '*', '/', '%', '**'] as const),
]);

function lowerBinary(node: acorn.BinaryExpression, scope: NameScope): Expression | null {
  const left = lowerExpression(node.left, scope);
  const right = lowerExpression(node.right, scope);
  if (left === null || right === null || !BINARY.has(node.operator)) return null;
  return { kind: 'binary', operator: node.operator as BinaryOperator, left, right };
}

function lowerLogical(node: acorn.LogicalExpression, scope: NameScope): Expression | null {
  const left = lowerExpression(node.left, scope);
  const right = lowerExpression(node.right, scope);
  return left === null || right === null ? null : { kind: 'logical', operator: node.operator, left, right };
}

function lowerConditional(node: acorn.ConditionalExpression, scope: NameScope): Expression | null {
  const test = lowerExpression(node.test, scope);
  const then = lowerExpression(node.consequent, scope);
  const otherwise = lowerExpression(node.alternate, scope);
  if (test === null || then === null || otherwise === null) return null;
  // oxlint-disable-next-line unicorn/no-thenable -- the model's own field; expressions are never awaited
  return { kind: 'conditional', test, then, otherwise };
}

function lowerTemplate(node: acorn.TemplateLiteral, scope: NameScope): Expression | null {
  const values = lowerAll(node.expressions, scope);
  const texts = node.quasis.map((quasi) => quasi.value.cooked ?? '');
  return values === null ? null : { kind: 'template', texts, values };
}

function lowerArray(node: acorn.ArrayExpression, scope: NameScope): Expression | null {
  if (node.elements.includes(null)) return null;
  const items = lowerAll(
    node.elements.filter((element) => element !== null),
    scope,
  );
  return items === null ? null : { kind: 'array', items };
}

function lowerObject(node: acorn.ObjectExpression, scope: NameScope): Expression | null {
  const entries: [string, Expression][] = [];
  for (const property of node.properties) {
    const key = property.type === 'Property' ? plainKey(property) : null;
    const value = property.type === 'Property' ? lowerExpression(property.value, scope) : null;
    if (key === null || value === null) return null;
    entries.push([key, value]);
  }
  return { kind: 'object', entries };
}

function plainKey(property: acorn.Property): string | null {
  if (property.computed || property.kind !== 'init' || property.method) return null;
  const { key } = property;
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : null;
  if (name === '__proto__') throw new SourceProblem('The key `__proto__` is refused.', property.start);
  return name;
}

/** A spread is not an expression, so it has no lowering and sends the whole to the isolate. */
function lowerAll(nodes: readonly acorn.AnyNode[], scope: NameScope): readonly Expression[] | null {
  const lowered = nodes.map((node) => lowerExpression(node, scope));
  return lowered.includes(null) ? null : lowered.filter((item) => item !== null);
}
