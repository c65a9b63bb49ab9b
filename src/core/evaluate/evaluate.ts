import { compileCall, compileIndex, compileMember, isLink, unlinked } from './evaluate-links.ts';
import { binaryOperation, bounded, unaryOperation } from './evaluate-operators.ts';
import { describeExpression } from './describe-expression.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { Expression } from '../model/expression.ts';
import { Fault } from '../model/fault.ts';
import { rootReader, type Evaluate } from './builtin-surface.ts';

const compiled = new WeakMap<Expression, Evaluate>();

/**
 * Turns an expression into a function, once; what the function does is what JavaScript would do, save that only own
 * properties are ever seen. Whatever JavaScript would throw is an `EvaluationError`.
 */
export function compileExpression(expression: Expression): Evaluate {
  const known = compiled.get(expression);
  if (known !== undefined) return known;
  const run = compile(expression);
  const evaluate: Evaluate = (surface) => {
    try {
      return run(surface);
    } catch (error) {
      throw isJavaScriptError(error) ? explained(error, expression) : error;
    }
  };
  compiled.set(expression, evaluate);
  return evaluate;
}

const isJavaScriptError = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;

const explained = (error: Error, expression: Expression): EvaluationError =>
  new EvaluationError(`${error.message} in \`${describeExpression(expression)}\`.`, { cause: error });

function compile(expression: Expression): Evaluate {
  const run = compileLink(expression);
  return isLink(expression) ? unlinked(expression, run) : run;
}

type Compilers = { readonly [Kind in Expression['kind']]: (node: Extract<Expression, { kind: Kind }>) => Evaluate };

/** May yield the mark of a broken optional chain, which only the next link or the end of the chain may see. */
function compileLink(expression: Expression): Evaluate {
  const compiler = COMPILERS[expression.kind] as (node: Expression) => Evaluate;
  return compiler(expression);
}

const COMPILERS: Compilers = {
  literal:
    ({ value }) =>
    () =>
      value,
  undefined: () => () => undefined,
  name: ({ name }) => compileName(name),
  'parsed-call': ({ tool }) => compileParsedCall(tool),
  member: (node) => compileMember(node, { link: compileLink, value: compile }),
  index: (node) => compileIndex(node, { link: compileLink, value: compile }),
  call: (node) => compileCall(node, { link: compileLink, value: compile }),
  chain: ({ body }) => compile(body),
  unary: compileUnary,
  binary: ({ operator, left, right }) => binaryOperation(operator, compile(left), compile(right)),
  logical: compileLogical,
  conditional: compileConditional,
  template: compileTemplate,
  array: compileArray,
  object: compileObject,
  isolate: () => {
    throw new Fault('INTERNAL', 'An expression that needs the isolate reached the evaluator.', {
      hint: 'This is a defect of Troupe. Please report it with the workflow.',
    });
  },
};

function compileName(name: string): Evaluate {
  const root = rootReader(name);
  if (root !== undefined) return root;
  return (surface) => {
    if (Object.hasOwn(surface.locals, name)) return surface.locals[name];
    throw new EvaluationError(`\`${name}\` has no value here.`);
  };
}

/** Calls are few, so the newest one of a name is looked for from the end. */
function compileParsedCall(tool: string): Evaluate {
  return (surface) => surface.last_parsing_tool_calls.findLast((call) => call.function.name === tool)?.function;
}

function compileUnary(node: Extract<Expression, { kind: 'unary' }>): Evaluate {
  const { operator, operand } = node;
  const isLocal = operand.kind === 'name' && rootReader(operand.name) === undefined;
  if (operator === 'typeof' && isLocal) {
    return (surface) =>
      Object.hasOwn(surface.locals, operand.name) ? typeof surface.locals[operand.name] : 'undefined';
  }
  return unaryOperation(operator, compile(operand));
}

function compileLogical(node: Extract<Expression, { kind: 'logical' }>): Evaluate {
  const left = compile(node.left);
  const right = compile(node.right);
  switch (node.operator) {
    case '&&':
      return (surface) => left(surface) && right(surface);
    case '||':
      return (surface) => left(surface) || right(surface);
    default:
      return (surface) => left(surface) ?? right(surface);
  }
}

function compileConditional(node: Extract<Expression, { kind: 'conditional' }>): Evaluate {
  const test = compile(node.test);
  const then = compile(node.then);
  const otherwise = compile(node.otherwise);
  return (surface) => (test(surface) ? then(surface) : otherwise(surface));
}

function compileTemplate(node: Extract<Expression, { kind: 'template' }>): Evaluate {
  const values = node.values.map(compile);
  const [first = '', ...rest] = node.texts;
  return (surface) => {
    let text = first;
    for (const [at, value] of values.entries()) text = bounded(`${text}${String(value(surface))}${rest[at] ?? ''}`);
    return text;
  };
}

function compileArray(node: Extract<Expression, { kind: 'array' }>): Evaluate {
  const items = node.items.map(compile);
  return (surface) => items.map((item) => item(surface));
}

function compileObject(node: Extract<Expression, { kind: 'object' }>): Evaluate {
  const entries = node.entries.map(([key, value]) => [key, compile(value)] as const);
  return (surface) => Object.fromEntries(entries.map(([key, value]) => [key, value(surface)]));
}
