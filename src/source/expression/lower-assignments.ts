import type * as acorn from 'acorn';
import { REFUSED_KEYS } from '../../core/evaluate/assignments.ts';
import type { Assignment, BinaryOperator, Expression } from '../../core/model/expression.ts';
import { isData } from '../../core/evaluate/builtin-surface.ts';
import type { NameScope } from './known-names.ts';
import { lowerExpression } from './lower-expression.ts';
import { SourceProblem } from './syntax.ts';

/** Questions about which objects an expression's value may share with the run's data. */

/** Whether the value may be, or hold, an object that is also reachable elsewhere. */
function canShare(value: Expression): boolean {
  switch (value.kind) {
    case 'literal':
    case 'undefined':
    case 'unary':
    case 'binary':
    case 'template':
      return false;
    case 'call':
      return !TEXT_METHODS.has(value.method);
    case 'array':
      return value.items.some(canShare);
    case 'object':
      return value.entries.some(([, entry]) => canShare(entry));
    case 'chain':
      return canShare(value.body);
    default:
      return true;
  }
}

const TEXT_METHODS: ReadonlySet<string> = new Set([
  'getLastResponse',
  'getRole',
  'getContextRole',
  'join',
  'trim',
  'toLowerCase',
  'toUpperCase',
  'includes',
  'indexOf',
]);

/** Whether the run's data is read anywhere within. */
function mentionsData(value: Expression): boolean {
  return isData(value) || parts(value).some(mentionsData);
}

/** Whether the value may be, or hold, the run's data as a whole. In doubt it may. */
function yieldsData(value: Expression): boolean {
  if (isData(value)) return true;
  if (value.kind === 'member')
    return value.property === 'variables' || (!isData(value.object) && yieldsData(value.object));
  if (value.kind === 'index' || value.kind === 'call') return yieldsData(value.object);
  return HOLDERS.has(value.kind) && parts(value).some(yieldsData);
}

/** Kinds whose value is, or holds, the value of a part. */
const HOLDERS: ReadonlySet<Expression['kind']> = new Set(['logical', 'conditional', 'array', 'object', 'chain']);

function parts(value: Expression): readonly Expression[] {
  const fields: readonly unknown[] = Object.values(value);
  return fields
    .flat(2)
    .filter((part): part is Expression => typeof part === 'object' && part !== null && 'kind' in part);
}

/** A script that only assigns plain expressions to the run's data, as steps; null where only the isolate can run it. */
export function lowerAssignments(statements: readonly acorn.AnyNode[], scope: NameScope): readonly Assignment[] | null {
  const steps: Assignment[] = [];
  for (const expression of statements.flatMap(expressionsOf)) {
    const step = expression === null ? null : lowerStep(expression, scope);
    if (step === null) return null;
    steps.push(step);
  }
  return keepsToOneTree(steps) ? steps : null;
}

/** One entry for each expression that is run in turn; null for anything else. */
function expressionsOf(node: acorn.AnyNode): readonly (acorn.AnyNode | null)[] {
  switch (node.type) {
    case 'EmptyStatement':
      return [];
    case 'ExpressionStatement':
      return node.directive === undefined ? expressionsOf(node.expression) : [];
    case 'SequenceExpression':
      return node.expressions.flatMap(expressionsOf);
    case 'AssignmentExpression':
    case 'UpdateExpression':
      return [node];
    default:
      return [null];
  }
}

function lowerStep(node: acorn.AnyNode, scope: NameScope): Assignment | null {
  if (node.type === 'UpdateExpression') return lowerUpdate(node, scope);
  return node.type === 'AssignmentExpression' ? lowerAssignment(node, scope) : null;
}

function lowerUpdate(node: acorn.UpdateExpression, scope: NameScope): Assignment | null {
  const target = lowerTarget(node.argument, scope);
  if (target === null) return null;
  const left: Expression = { kind: 'unary', operator: '+', operand: target.read };
  const operator = node.operator === '++' ? '+' : '-';
  return { path: target.path, value: { kind: 'binary', operator, left, right: { kind: 'literal', value: 1 } } };
}

function lowerAssignment(node: acorn.AssignmentExpression, scope: NameScope): Assignment | null {
  const target = lowerTarget(node.left, scope);
  const right = lowerExpression(node.right, scope);
  if (target === null || right === null) return null;
  const value = combined(node.operator, target.read, right);
  return value === null ? null : { path: target.path, value };
}

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '**']);

function combined(operator: acorn.AssignmentOperator, left: Expression, right: Expression): Expression | null {
  const inner = operator.slice(0, -1);
  if (inner === '') return right;
  if (ARITHMETIC.has(inner)) return { kind: 'binary', operator: inner as BinaryOperator, left, right };
  if (inner === '&&' || inner === '||' || inner === '??') return { kind: 'logical', operator: inner, left, right };
  return null;
}

interface Target {
  readonly path: readonly string[];
  readonly read: Expression;
}

const LIST_KEY = /^(?:length|\d+)$/;

function lowerTarget(node: acorn.AnyNode, scope: NameScope): Target | null {
  const read = node.type === 'MemberExpression' ? lowerExpression(node, scope) : null;
  const path = read === null ? null : pathOf(read);
  if (read === null || path === null || path.length === 0 || path.some((key) => LIST_KEY.test(key))) return null;
  const refused = path.find((key) => REFUSED_KEYS.has(key));
  if (refused !== undefined) throw new SourceProblem(`The key \`${refused}\` may not be assigned.`, node.start);
  return { path, read };
}

/** `common_data.variables` counts as a path here; at run time it may turn out to be the data itself. */
function pathOf(target: Expression): readonly string[] | null {
  if (target.kind !== 'member' || target.optional) return null;
  if (isData(target) && target.property !== 'variables') return [];
  const isRoot = isData(target.object) && !(target.object.kind === 'member' && isData(target.object.object));
  const above = isRoot ? [] : pathOf(target.object);
  return above === null ? null : [...above, target.property];
}

/**
 * JavaScript shares objects where JSON copies them: after `a = b`, a change of `a.x` changes `b.x` too. Steps stay native only
 * where that difference cannot show.
 */
function keepsToOneTree(steps: readonly Assignment[]): boolean {
  let hasShared = false;
  for (const { path, value } of steps) {
    const isDeep = path.length > 1;
    if (yieldsData(value) || (isDeep && (hasShared || (canShare(value) && mentionsData(value))))) return false;
    hasShared ||= canShare(value);
  }
  return true;
}
