import type { AnyNode, ArrowFunctionExpression, FunctionExpression, Program as ProgramTree } from 'acorn';
import type { Program } from '../../core/expression.ts';
import { inspectNames, scopeOf } from './inspect-names.ts';
import { isolateSource } from './isolate-source.ts';
import { lowerAssignments } from './lower-assignments.ts';
import type { ExpressionOptions } from './parse-expression.ts';
import type { Parsed } from './parsed.ts';
import { parseExpressionTree, parseProgramTree } from './shorthand-parser.ts';
import { parsed, SourceProblem } from './source-problem.ts';

/** Reads a script: bare statements, `() => {…}`, `executionContext => {…}` or `function () {…}` (SM5). Nothing is run. */
export function parseProgram(source: string, options: ExpressionOptions = {}): Parsed<Program> {
  return parsed(() => {
    const script = readScript(source);
    const scope = scopeOf(options.names, script.parameter?.type === 'Identifier' ? script.parameter.name : undefined);
    const visits = inspectNames(script.tree, scope);
    const steps = lowerAssignments(script.statements, scope);
    if (steps !== null) return { kind: 'assignments', steps };
    const { from, to } = script;
    const readsAll = script.parameter !== null && script.parameter.type !== 'Identifier';
    return isolateSource({ source, visits, scope, from, to, readsAll, wrap: (text) => wrapped(script, text) });
  });

  function wrapped(script: Script, text: string): string {
    const body = script.isExpression ? `(${text});` : text;
    if (script.parameter === null) return body;
    return `var ${source.slice(script.parameter.start, script.parameter.end)} = this;\n${body}`;
  }
}

interface Script {
  readonly tree: AnyNode;
  readonly statements: readonly AnyNode[];
  readonly parameter: AnyNode | null;
  /** The stretch that runs, and whether it is one expression rather than statements. */
  readonly from: number;
  readonly to: number;
  readonly isExpression: boolean;
}

/** Both readings are tried; when neither works the one that got further tells what is wrong. */
function readScript(source: string): Script {
  const asExpression = parsed(() => parseExpressionTree(source));
  const tree = asExpression.ok ? asExpression.value : null;
  if (tree?.type === 'ArrowFunctionExpression' || tree?.type === 'FunctionExpression') return readFunction(tree);
  const asStatements = parsed(() => parseProgramTree(source));
  if (asStatements.ok) return ofStatements(asStatements.value, source);
  const further = !asExpression.ok && asExpression.offset > asStatements.offset ? asExpression : asStatements;
  throw new SourceProblem(further.message, further.offset);
}

const ofStatements = (tree: ProgramTree, source: string): Script => ({
  tree,
  statements: tree.body,
  parameter: null,
  from: 0,
  to: source.length,
  isExpression: false,
});

function readFunction(tree: ArrowFunctionExpression | FunctionExpression): Script {
  const [parameter = null, second] = tree.params;
  if (second !== undefined) throw new SourceProblem('A script takes at most one parameter.', second.start);
  if (tree.generator) throw new SourceProblem('A script cannot be a generator.', tree.start);
  const { body } = tree;
  if (body.type !== 'BlockStatement') {
    return { tree, statements: [body], parameter, from: body.start, to: body.end, isExpression: true };
  }
  return { tree, statements: body.body, parameter, from: body.start + 1, to: body.end - 1, isExpression: false };
}
