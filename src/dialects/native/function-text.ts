import type { AnyNode, ArrowFunctionExpression, FunctionExpression } from 'acorn';
import { inspectable, isReference } from '../expression/inspect-names.ts';
import { BUILTIN_NAMES, REFUSED_NAMES } from '../expression/known-names.ts';
import { parseExpressionTree } from '../expression/shorthand-parser.ts';
import { parsed } from '../expression/source-problem.ts';
import { patternNames } from '../expression/tree.ts';

/** A function of a workflow, as the compiler has checked it. */
export type FlowFunction = (run: never) => unknown;

export type FunctionText =
  /** `givesObject`: an object is all that it makes, which a script would lose. */
  | { readonly kind: 'text'; readonly text: string; readonly givesObject: boolean }
  /** It uses a variable from outside, which would not be there when the run comes here, perhaps in a different process. */
  | { readonly kind: 'closes-over'; readonly name: string; readonly source: string; readonly offset: number }
  | { readonly kind: 'unreadable'; readonly why: string };

/** A function in the language of the files, so that it is stored with the run and evaluated as texts are. */
export function functionText(given: FlowFunction): FunctionText {
  const source = sourceOf(given);
  const read = parsed(() => parseExpressionTree(source));
  if (!read.ok) return { kind: 'unreadable', why: `The function cannot be read: ${read.message}` };
  const tree = read.value;
  if (!isPlainFunction(tree))
    return {
      kind: 'unreadable',
      why: 'This is no plain function: a class, a bound or a built-in function has no text.',
    };
  const free = freeName(tree);
  if (free !== null) return { kind: 'closes-over', ...free, source };
  return { kind: 'text', text: withoutPattern(tree, source), givesObject: tree.body.type === 'ObjectExpression' };
}

/** A method of an object literal lacks the word that makes it an expression. */
function sourceOf(given: FlowFunction): string {
  const source = Function.prototype.toString.call(given);
  const isMethod = !/^(?:async\s+)?(?:function\b|\(|[\p{ID_Start}$_][\p{ID_Continue}$]*\s*=>)/u.test(source);
  return isMethod ? `function ${source}` : source;
}

type PlainFunction = ArrowFunctionExpression | FunctionExpression;

const isPlainFunction = (tree: AnyNode): tree is PlainFunction =>
  tree.type === 'ArrowFunctionExpression' || tree.type === 'FunctionExpression';

/** The first name that the function itself does not declare. Those that no script may use get a message that says why. */
function freeName(tree: PlainFunction): { readonly name: string; readonly offset: number } | null {
  const { visits, declared } = inspectable(tree);
  const free = visits
    .filter(isReference)
    .map(({ node }) => ({ name: node.name, offset: node.start }))
    .filter(({ name }) => !declared.has(name) && !BUILTIN_NAMES.has(name) && !REFUSED_NAMES.has(name));
  return free.toSorted((one, other) => one.offset - other.offset)[0] ?? null;
}

/** `({ common_data, result }) => …` names what texts can name without a parameter, so its body alone says the same. */
function withoutPattern(tree: PlainFunction, source: string): string {
  const [parameter, second] = tree.params;
  const isFlat = parameter?.type === 'ObjectPattern' && second === undefined && parameter.properties.every(isShorthand);
  if (!isFlat || tree.type !== 'ArrowFunctionExpression' || redeclares(tree)) return source;
  const body = source.slice(tree.body.start, tree.body.end);
  return tree.body.type === 'BlockStatement' ? `() => ${body}` : `(${body})`;
}

const isShorthand = (property: AnyNode): boolean =>
  property.type === 'Property' && property.shorthand && property.value.type === 'Identifier';

/** A name of the parameter that means something different further inside. */
function redeclares(tree: ArrowFunctionExpression): boolean {
  const names = tree.params.flatMap(patternNames);
  const { declared } = inspectable(tree.body);
  return names.some((name) => declared.has(name));
}
