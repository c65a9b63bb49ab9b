import type { AnyNode, ArrowFunctionExpression } from 'acorn';
import type { Expression } from '../../core/expression.ts';
import { inspectNames, isKnownName, scopeOf, unknownName, type NameScope } from './inspect-names.ts';
import { isolateSource } from './isolate-source.ts';
import { lowerExpression } from './lower-expression.ts';
import type { Parsed } from './parsed.ts';
import { parseExpressionTree, readNames } from './shorthand-parser.ts';
import { parsed, SourceProblem } from './source-problem.ts';

export interface ExpressionOptions {
  /** Further names that have a value where this expression stands. */
  readonly names?: readonly string[];
}

/** Reads a condition or an input (SM5). Nothing is evaluated. */
export function parseExpression(source: string, options: ExpressionOptions = {}): Parsed<Expression> {
  const scope = scopeOf(options.names);
  return parsed(() => {
    const tree = readTree(source, scope);
    const arrow = arrowAround(tree, options.names);
    const inner = arrow ?? { body: tree, scope };
    const visits = inspectNames(tree, inner.scope);
    const native = lowerExpression(inner.body, inner.scope);
    if (native !== null) return native;
    const wrap = isFunction(tree) ? (text: string) => `(${text}).call(this, this)` : (text: string) => text;
    const readsAll = arrow === null && isFunction(tree);
    return isolateSource({ source, visits, scope: inner.scope, from: tree.start, to: tree.end, readsAll, wrap });
  });
}

/** Text that is no JavaScript at all is best explained by its first word that nobody knows. */
function readTree(source: string, scope: NameScope): AnyNode {
  try {
    return parseExpressionTree(source);
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    const stranger = readNames(source, error.offset).find(({ name }) => !isKnownName(name, scope));
    throw stranger === undefined ? error : new SourceProblem(unknownName(stranger.name), stranger.offset);
  }
}

/** `() => condition` is meant as the condition, not as a function, which would always be true. */
function arrowAround(tree: AnyNode, names: readonly string[] = []): { body: AnyNode; scope: NameScope } | null {
  if (tree.type !== 'ArrowFunctionExpression' || tree.body.type === 'BlockStatement') return null;
  const parameter = soleParameter(tree);
  return parameter === null ? null : { body: tree.body, scope: scopeOf(names, parameter) };
}

function soleParameter(arrow: ArrowFunctionExpression): string | undefined | null {
  const [parameter] = arrow.params;
  if (parameter === undefined) return undefined;
  return arrow.params.length === 1 && parameter.type === 'Identifier' ? parameter.name : null;
}

const isFunction = (tree: AnyNode): boolean =>
  tree.type === 'ArrowFunctionExpression' || tree.type === 'FunctionExpression';
