import {
  type AnyNode,
  type ArrowFunctionExpression,
  type FunctionExpression,
  parse,
  type Program as ProgramTree,
} from 'acorn';
import type { Expression, IsolateSource, Program } from '../../core/model/expression.ts';
import {
  EVALUATE_METHOD,
  inspectNames,
  isKnownName,
  isReference,
  type NameScope,
  ROOT_NAMES,
  scopeOf,
  SELF_METHOD_READS,
  SHORTHAND_NAME,
  unknownName,
} from './known-names.ts';
import { lowerExpression } from './lower-expression.ts';
import {
  type NodeVisit,
  type Parsed,
  parsed,
  parseExpressionTree,
  parseProgramTree,
  readNames,
  skipTrivia,
  SourceProblem,
  staticProperty,
} from './syntax.ts';
import { lowerAssignments } from './lower-assignments.ts';

const EVERYTHING: readonly string[] = [...[...ROOT_NAMES].filter((name) => name !== 'variables'), 'locals'];

export interface IsolateRequest {
  readonly source: string;
  readonly visits: readonly NodeVisit[];
  readonly scope: NameScope;
  /** The part of the source to run. */
  readonly from: number;
  readonly to: number;
  /** The surface is passed on as a value, so it is unknown what is read. */
  readonly readsAll: boolean;
  /** What to put around that part. */
  readonly wrap: (text: string) => string;
}

/** Plain JavaScript for the isolate, with the shorthand rewritten and a list of the names it reads. */
function isolateSource(request: IsolateRequest): IsolateSource {
  const edits = shorthandEdits(request);
  const source = request.wrap(rewritten(request, edits));
  const [first] = edits;
  if (first !== undefined) checkRewritten(source, first.at);
  return { kind: 'isolate', source, reads: request.readsAll ? EVERYTHING : readsOf(request.visits, request.scope) };
}

interface Edit {
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

/** `function.a.b` becomes `$function.a?.b`: below the shorthand no link throws, here as in the core. */
function shorthandEdits({ source, visits }: IsolateRequest): readonly Edit[] {
  const edits: Edit[] = [];
  for (const visit of visits) {
    if (!isReference(visit) || visit.node.name !== 'function') continue;
    edits.push({ at: visit.node.start, length: 'function'.length, text: SHORTHAND_NAME });
    edits.push(...linksAbove(visit, source));
  }
  return edits.toSorted((left, right) => left.at - right.at);
}

function linksAbove(shorthand: NodeVisit, source: string): readonly Edit[] {
  const edits: Edit[] = [];
  let below = shorthand.parent;
  for (let link = below?.parent ?? null; link !== null && below !== null; link = link.parent) {
    const { node } = link;
    const continues = below.key === 'object' || below.key === 'callee' || node.type === 'ChainExpression';
    if (!continues) break;
    if (node.type === 'MemberExpression' && !node.optional) edits.push(optionalLink(node, source));
    below = link;
  }
  return edits;
}

function optionalLink(node: Extract<AnyNode, { type: 'MemberExpression' }>, source: string): Edit {
  let at = skipTrivia(source, node.object.end);
  while (source[at] === ')') at = skipTrivia(source, at + 1);
  return { at, length: node.computed ? 0 : 1, text: '?.' };
}

function rewritten({ source, from, to }: IsolateRequest, edits: readonly Edit[]): string {
  let text = '';
  let at = from;
  for (const edit of edits) {
    if (edit.at < from || edit.at >= to) continue;
    text += source.slice(at, edit.at) + edit.text;
    at = edit.at + edit.length;
  }
  return text + source.slice(at, to);
}

/** A few forms, such as a tagged template, cannot follow an optional link. */
function checkRewritten(source: string, offset: number): void {
  try {
    parse(`(function () {\n${source}\n})`, { ecmaVersion: 2023, strict: true });
  } catch {
    throw new SourceProblem('`function.NAME` cannot be used in this way.', offset);
  }
}

function readsOf(visits: readonly NodeVisit[], scope: NameScope): readonly string[] {
  const reads = new Set(visits.flatMap((visit) => readsAt(visit, scope)));
  return EVERYTHING.filter((name) => reads.has(name));
}

function readsAt(visit: NodeVisit, scope: NameScope): readonly string[] {
  if (visit.node.type === 'ThisExpression') return readsOfSelf(visit);
  if (!isReference(visit)) return [];
  const { name } = visit.node;
  if (scope.selfNames.has(name)) return readsOfSelf(visit);
  return readsOfName(name) ?? (scope.localNames.has(name) ? ['locals'] : []);
}

function readsOfSelf({ node, parent }: NodeVisit): readonly string[] {
  const isObject = parent?.node.type === 'MemberExpression' && parent.node.object === node;
  const property = isObject ? staticProperty(parent.node) : null;
  return property === null ? EVERYTHING : (readsOfName(property) ?? ['locals']);
}

function readsOfName(name: string): readonly string[] | null {
  if (name === 'variables') return ['common_data'];
  if (name === 'function') return ['last_parsing_tool_calls'];
  if (name === EVALUATE_METHOD) return EVERYTHING;
  return ROOT_NAMES.has(name) ? [name] : (SELF_METHOD_READS.get(name) ?? null);
}

interface ExpressionOptions {
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

/** Text that is no JavaScript at all is best explained by its first unknown word. */
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

/** Both readings are tried; if neither works, the one that got further explains the mistake. */
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
