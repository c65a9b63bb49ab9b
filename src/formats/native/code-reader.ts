import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AnyNode, ArrowFunctionExpression, FunctionExpression } from 'acorn';
import type { Expression, Program } from '../../core/model/expression.ts';
import type { Position, Problem } from '../../core/model/fault.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import type { ExpressionsBy } from '../../source/model-parts.ts';
import { parseExpression, parseProgram } from '../../source/expression/parse-code.ts';
import { type Parsed, parsed, parseExpressionTree, patternNames } from '../../source/expression/syntax.ts';
import { BUILTIN_NAMES, inspectable, isReference, REFUSED_NAMES } from '../../source/expression/known-names.ts';
import { orElse } from '../../lib/or-else.ts';

/** A function of a workflow, as the compiler has checked it. */
type FlowFunction = (run: never) => unknown;

type FunctionText =
  /** `givesObject`: an object is all that it makes, which a script would lose. */
  | { readonly kind: 'text'; readonly text: string; readonly givesObject: boolean }
  /** It uses a variable from outside, which would not be there when the run comes here, perhaps in a different process. */
  | { readonly kind: 'closes-over'; readonly name: string; readonly source: string; readonly offset: number }
  | { readonly kind: 'unreadable'; readonly why: string };

/** A function in the language of the files, so that it is stored with the run and evaluated as texts are. */
function functionText(given: FlowFunction): FunctionText {
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

type ClosesOver = Extract<FunctionText, { readonly kind: 'closes-over' }>;

/** Finds where a function uses a variable from outside. */
type FunctionPlace = (found: ClosesOver) => { readonly file: string; readonly at: Position } | null;

/** The file that called `defined` usually holds the function; where it does not, the call is as near as can be known. */
export function placesFrom(defined: (spec: never) => unknown): FunctionPlace {
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, defined);
  return (found) => {
    const call = /\(?((?:file:\/\/)?\/[^():]*):(\d+):(\d+)\)?\s*$/m.exec(trace.stack ?? '');
    if (call === null) return null;
    const [, where = '', line = '1', column = '1'] = call;
    const file = where.startsWith('file:') ? fileURLToPath(where) : where;
    const called = { line: Number(line), column: Number(column) };
    const text = orElse(() => readFileSync(file, 'utf8'), '');
    return { file, at: placeIn(text, found, called.line) ?? called };
  };
}

/** A compiler may have rewritten the function: then the first use of the name after the call is taken. */
function placeIn(text: string, { source, offset, name }: ClosesOver, from: number): Position | null {
  const start = text.indexOf(source);
  if (start !== -1) {
    const before = text.slice(0, start + offset).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
  const uses = new RegExp(`(?<![\\w$.])${name.replaceAll('$', String.raw`\$`)}(?![\\w$])`);
  const lines = text.split('\n');
  const line = lines.findIndex((one, at) => at + 1 >= from && uses.test(one));
  return line === -1 ? null : { line: line + 1, column: (lines[line]?.search(uses) ?? 0) + 1 };
}

function functionProblem(
  found: Exclude<FunctionText, { readonly kind: 'text' }>,
  path: string,
  place: FunctionPlace,
): Problem {
  if (found.kind === 'unreadable') return { code: 'EXPRESSION_INVALID', message: found.why, severity: 'error', path };
  const { name } = found;
  return {
    code: 'FUNCTION_CLOSES_OVER',
    message: `The function uses \`${name}\` from outside. It is stored with the run and evaluated elsewhere, where \`${name}\` does not exist.`,
    severity: 'error',
    path,
    ...place(found),
    hint: `Put the value into the input or the data of the workflow and read it as run.common_data.${name}, or write it into the function.`,
  };
}

/** Reads the parts of a workflow that point outside it, code and calls, and keeps what is wrong until all are read. */
export interface CodeReader {
  readonly problems: readonly Problem[];
  expression(code: CodeText, path: string): Expression;
  /** An expression that may be left out. */
  optional(code: CodeText | undefined, path: string): Expression | null;
  /** The expressions that are given, by key. */
  given<Key extends string>(
    code: Readonly<Partial<Record<Key, CodeText | undefined>>>,
    path: string,
  ): ExpressionsBy<Key>;
  script(code: CodeText | undefined, path: string): Program | null;
  /** Notes a workflow that is called by value and gives its name. */
  call(workflow: string | Workflow): string;
  readonly called: readonly Workflow[];
}

/** A text in the language of the files, or a function. */
export type CodeText = string | FlowFunction;

/** Stands in for code that cannot be read; a workflow with it is never given out. */
const UNREADABLE: Expression = { kind: 'undefined' };

/** Names of a state's result, in its conditions and on its transitions. */
const NAMES = { names: ['result', 'outcome', 'failure'] };

/** `place` says where a function stands in the author's file, as far as that can be known. */
export function codeReader(place: FunctionPlace): CodeReader {
  const problems: Problem[] = [];
  const called: Workflow[] = [];
  const read = <T>(parsed: Parsed<T>, path: string): T | null => {
    if (parsed.ok) return parsed.value;
    problems.push({ code: 'EXPRESSION_INVALID', message: parsed.message, severity: 'error', path });
    return null;
  };
  const textOfCode = (code: CodeText, path: string, isScript = false): string | null => {
    if (typeof code === 'string') return code;
    const made = functionText(code);
    if (made.kind !== 'text') problems.push(functionProblem(made, path, place));
    else if (isScript && made.givesObject) problems.push(lostObject(path));
    else return made.text;
    return null;
  };
  const expression: CodeReader['expression'] = (code, path) => {
    const text = textOfCode(code, path);
    return (text === null ? null : read(parseExpression(text, NAMES), path)) ?? UNREADABLE;
  };
  return {
    problems,
    expression,
    optional: (code, path) => (code === undefined ? null : expression(code, path)),
    given: <Key extends string>(code: Readonly<Partial<Record<Key, CodeText | undefined>>>, path: string) =>
      Object.fromEntries(
        Object.entries<CodeText | undefined>(code).flatMap(([key, one]) =>
          one === undefined ? [] : [[key, expression(one, `${path}.${key}`)]],
        ),
      ) as ExpressionsBy<Key>,
    script: (code, path) => {
      const text = code === undefined ? null : textOfCode(code, path, true);
      return text === null ? null : read(parseProgram(text, NAMES), path);
    },
    call: (workflow) => {
      if (typeof workflow === 'string') return workflow;
      called.push(workflow);
      return workflow.name;
    },
    called,
  };
}

const lostObject = (path: string): Problem => ({
  code: 'EXPRESSION_INVALID',
  message: 'A script changes the data; the object that this one gives back would be lost.',
  severity: 'error',
  path,
  hint: 'Write it as (run) => { run.common_data.NAME = …; }',
});
