import type { AnyNode, Node } from 'acorn';
import { SURFACE_ROOTS } from '../../core/evaluate/builtin-surface.ts';
import { type NodeVisit, patternNames, SourceProblem, staticProperty, visitTree } from './syntax.ts';

/** Names an author may use without declaring them (SM5). */

/** Values of the run, by the names of the surface. */
export const ROOT_NAMES: ReadonlySet<string> = new Set(SURFACE_ROOTS);

/** Values that exist only at some places, such as `item` within a pool. */
const LOCAL_NAMES: ReadonlySet<string> = new Set(['item', 'index', 'unit', 'units', 'result']);

/** Methods of `this` that may also be called bare, with the roots each one reads. */
export const SELF_METHOD_READS: ReadonlyMap<string, readonly string[]> = new Map([
  ['getAgent', ['agents']],
  ['getToolCalls', ['agents']],
  ['getContext', ['contexts']],
  ['quote', []],
]);

/** Reads whatever the text given to it at run time mentions. */
export const EVALUATE_METHOD = 'evaluateExpression';

/** The name of the rewritten shorthand inside the isolate; its prelude defines it. */
export const SHORTHAND_NAME = '$function';

/** Built-ins of the language; all deterministic and without I/O. */
export const BUILTIN_NAMES: ReadonlySet<string> = new Set(
  [
    'undefined NaN Infinity Math JSON Object Array String Number Boolean BigInt Symbol RegExp Map Set WeakMap WeakSet Reflect',
    'Error TypeError RangeError SyntaxError ReferenceError EvalError URIError',
    'parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI',
  ].flatMap((names) => names.split(' ')),
);

const RANDOM_REFUSAL = 'a script has no source of randomness, so that a replay decides the same';
const NO_CLOCK = 'a script has no clock, so that a replay decides the same';
const NO_WORLD = 'a script has no access to files, network or processes';
const NO_CODE = 'a script may not make code at run time';
const NO_WAITING = 'a script runs to its end at once, it cannot wait';

/** Names people try, with the reason why they do not exist here. */
export const REFUSED_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    [NO_CLOCK]: ['Date', 'performance'],
    'its answers depend on the machine': ['Intl'],
    [RANDOM_REFUSAL]: ['crypto'],
    [NO_WORLD]: ['process', 'require', 'module', 'fetch', 'XMLHttpRequest', 'globalThis', 'global', 'window'],
    'no one would see the output; the journal shows every change of the data': ['console'],
    [NO_CODE]: ['eval', 'Function'],
    [NO_WAITING]: ['Promise', 'setTimeout', 'setInterval', 'queueMicrotask'],
  }).flatMap(([reason, names]) => names.map((name) => [name, reason])),
);

const ASYNC_REFUSAL = NO_WAITING;
const IMPORT_REFUSAL = NO_WORLD;

/** The names known to a source: those of the run, and those of the author's format. */
export interface NameScope {
  /** `this` by another name: `executionContext`, or the parameter of a script's arrow. */
  readonly selfNames: ReadonlySet<string>;
  readonly localNames: ReadonlySet<string>;
}

export function scopeOf(names: readonly string[] = [], parameter?: string): NameScope {
  return {
    selfNames: new Set(parameter === undefined ? ['executionContext'] : ['executionContext', parameter]),
    localNames: new Set([...LOCAL_NAMES, ...names]),
  };
}

/** Refuses forbidden and unknown names; returns every node for further work. */
export function inspectNames(root: Node, scope: NameScope): readonly NodeVisit[] {
  const { visits, declared } = inspectable(root);
  if (declared.has(SHORTHAND_NAME)) throw new SourceProblem(RESERVED, root.start);
  const inOrder = visits.toSorted((left, right) => left.node.start - right.node.start);
  for (const visit of inOrder) {
    refuseForm(visit);
    refuseAssignment(visit, { declared, scope });
    if (isReference(visit)) refuseName(visit.node, { declared, scope });
  }
  return visits;
}

/** Every node of a source, and the names that it declares itself. */
export function inspectable(root: Node): {
  readonly visits: readonly NodeVisit[];
  readonly declared: ReadonlySet<string>;
} {
  const visits = visitTree(root);
  return { visits, declared: new Set(visits.flatMap(declaredNames)) };
}

export function isKnownName(name: string, scope: NameScope): boolean {
  return (
    ROOT_NAMES.has(name) ||
    BUILTIN_NAMES.has(name) ||
    SELF_METHOD_READS.has(name) ||
    name === EVALUATE_METHOD ||
    name === 'function' ||
    scope.selfNames.has(name) ||
    scope.localNames.has(name)
  );
}

export function unknownName(name: string): string {
  const reason = REFUSED_NAMES.get(name);
  if (reason !== undefined) return `\`${name}\` is refused: ${reason}.`;
  return `\`${name}\` is not a known name. Text belongs in quotes; variables are written \`common_data.${name}\`.`;
}

/** The fields that bind names: of declarations, functions and classes, parameters, and `catch`. */
const BINDING_FIELDS: ReadonlySet<string> = new Set(['id', 'params', 'param']);

const declaredNames = ({ node, key }: NodeVisit): readonly string[] =>
  BINDING_FIELDS.has(key) ? patternNames(node) : [];

/** Whether an identifier stands for a value, and not for a property, a label or a keyword's part. */
export function isReference(
  visit: NodeVisit,
): visit is NodeVisit & { readonly node: Extract<AnyNode, { type: 'Identifier' }> } {
  if (visit.node.type !== 'Identifier' || visit.parent === null) return visit.node.type === 'Identifier';
  const parent = visit.parent.node;
  if (visit.key === 'label' || parent.type === 'MetaProperty') return false;
  if (BINDING_FIELDS.has(visit.key)) return false;
  const isKey = visit.key === 'property' || visit.key === 'key';
  return !isKey || ('computed' in parent && parent.computed);
}

const RESERVED = `\`${SHORTHAND_NAME}\` is a reserved name.`;
const IMPORT = `\`import\` is refused: ${IMPORT_REFUSAL}.`;
const EXPORT = '`export` is refused: a script is not a module.';

const REFUSED_FORMS: ReadonlyMap<string, string> = new Map([
  ['ImportExpression', IMPORT],
  ['ImportDeclaration', IMPORT],
  ['ExportNamedDeclaration', EXPORT],
  ['ExportDefaultDeclaration', EXPORT],
  ['ExportAllDeclaration', EXPORT],
  ['MetaProperty', '`import.meta` and `new.target` are refused.'],
  ['AwaitExpression', `\`await\` is refused: ${ASYNC_REFUSAL}.`],
]);

function refuseForm({ node }: NodeVisit): void {
  const refusal = REFUSED_FORMS.get(node.type);
  if (refusal !== undefined) throw new SourceProblem(refusal, node.start);
  if (node.type === 'MemberExpression' && isRandom(node)) {
    throw new SourceProblem(`\`Math.random\` is refused: ${RANDOM_REFUSAL}.`, node.start);
  }
  const isAsync = ('async' in node && node.async) || ('await' in node && node.await);
  if (isAsync) throw new SourceProblem(`\`async\` is refused: ${ASYNC_REFUSAL}.`, node.start);
}

const isRandom = (node: Extract<AnyNode, { type: 'MemberExpression' }>): boolean =>
  node.object.type === 'Identifier' && node.object.name === 'Math' && staticProperty(node) === 'random';

/** A run's values are changed by their properties; `common_data = …` would be silently lost. */
function refuseAssignment({ node }: NodeVisit, { declared, scope }: NameContext): void {
  const target = assignedPattern(node);
  if (target === null) return;
  const name = patternNames(target).find((name) => !declared.has(name) && isKnownName(name, scope));
  if (name !== undefined)
    throw new SourceProblem(`\`${name}\` itself cannot be assigned, only its properties.`, target.start);
  if (isBelowShorthand(target)) throw new SourceProblem('The answer of an agent cannot be assigned.', target.start);
}

function assignedPattern(node: AnyNode): AnyNode | null {
  switch (node.type) {
    case 'AssignmentExpression':
      return node.left;
    case 'UpdateExpression':
      return node.argument;
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type === 'VariableDeclaration' ? null : node.left;
    default:
      return null;
  }
}

function isBelowShorthand(node: AnyNode): boolean {
  let inner = node;
  while (inner.type === 'MemberExpression') inner = inner.object;
  return inner.type === 'Identifier' && inner.name === 'function';
}

interface NameContext {
  readonly declared: ReadonlySet<string>;
  readonly scope: NameScope;
}

function refuseName(node: Extract<AnyNode, { type: 'Identifier' }>, { declared, scope }: NameContext): void {
  if (node.name === SHORTHAND_NAME) throw new SourceProblem(RESERVED, node.start);
  if (declared.has(node.name) || isKnownName(node.name, scope)) return;
  throw new SourceProblem(unknownName(node.name), node.start);
}
