import { describeExpression } from './describe-expression.ts';
import { bounded } from './evaluate-operators.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { Expression } from '../model/expression.ts';
import {
  callAgent,
  callCollection,
  callKind,
  callSelf,
  callValue,
  hasMethod,
  isSelf,
  rootReader,
  type Evaluate,
} from './builtin-surface.ts';
import type { SurfaceData } from './surface.ts';

/**
 * Member access, indexing and calls, the links of a chain. Invariants: a link sees own properties only, so no prototype is
 * ever reached; a broken optional link is passed on as `BROKEN` and becomes undefined at the end of its chain; below
 * `function.NAME` every link is lenient.
 */
type Member = Extract<Expression, { kind: 'member' }>;
type Index = Extract<Expression, { kind: 'index' }>;
type Call = Extract<Expression, { kind: 'call' }>;
type Link = Member | Index | Call;

interface Compile {
  /** For the object of a link: may yield `BROKEN`. */
  readonly link: (expression: Expression) => Evaluate;
  readonly value: (expression: Expression) => Evaluate;
}

const BROKEN = Symbol('broken chain');

export const isLink = (expression: Expression): expression is Link =>
  expression.kind === 'member' || expression.kind === 'index' || expression.kind === 'call';

/** Ends a chain. A chain without optional links cannot break and needs no check. */
export function unlinked(expression: Link, run: Evaluate): Evaluate {
  if (!canBreak(expression)) return run;
  return (surface) => {
    const value = run(surface);
    return value === BROKEN ? undefined : value;
  };
}

const canBreak = (expression: Expression): boolean =>
  isLink(expression) && (expression.optional || canBreak(expression.object));

export function compileMember(node: Member, compile: Compile): Evaluate {
  if (isSelf(node.object)) return memberOfSelf(node.property);
  const object = compile.link(node.object);
  const { property } = node;
  const absent = whenAbsent(node, () => `\`${property}\``);
  const isAlias = property === 'variables';
  return (surface) => {
    const value = object(surface);
    if (value === undefined || value === null || value === BROKEN) return absent(value);
    return isAlias ? readVariables(value, surface) : own(value, property);
  };
}

/** `this.item` is a local, `this.common_data` a root; what does not exist is undefined, as on any object. */
function memberOfSelf(property: string): Evaluate {
  return rootReader(property) ?? ((surface) => own(surface.locals, property));
}

export function compileIndex(node: Index, compile: Compile): Evaluate {
  const object = isSelf(node.object) ? null : compile.link(node.object);
  const index = compile.value(node.index);
  if (object === null) return (surface) => memberOfSelf(String(index(surface)))(surface);
  const absent = whenAbsent(node, () => `\`[${describeExpression(node.index)}]\``);
  return (surface) => {
    const value = object(surface);
    if (value === undefined || value === null || value === BROKEN) return absent(value);
    const key = propertyKey(index(surface));
    return key === 'variables' ? readVariables(value, surface) : own(value, key);
  };
}

const propertyKey = (value: unknown): PropertyKey => (typeof value === 'number' ? value : String(value));

function own(value: unknown, key: PropertyKey): unknown {
  return Object.hasOwn(value as object, key) ? (value as Readonly<Record<PropertyKey, unknown>>)[key] : undefined;
}

/** `common_data.variables` is the data itself unless the author has a variable of that name. */
function readVariables(value: unknown, surface: SurfaceData): unknown {
  const isAlias = value === surface.common_data && !Object.hasOwn(value, 'variables');
  return isAlias ? value : own(value, 'variables');
}

export function compileCall(node: Call, compile: Compile): Evaluate {
  const list = node.arguments.map(compile.value);
  const kind = callKind(node.object, node.method);
  if (kind === 'self') {
    const name = list[0] ?? (() => undefined);
    return (surface) => bounded(callSelf(surface, node.method, name(surface)));
  }
  const object = compile.link(node.object);
  const absent = whenAbsent(node, () => `\`${node.method}()\``);
  const invoke = invokerOf(node, kind);
  return (surface) => {
    const value = object(surface);
    if (value === undefined || value === null || value === BROKEN) return absent(value);
    return invoke(
      value,
      list.map((item) => item(surface)),
    );
  };
}

type Invoke = (value: unknown, list: readonly unknown[]) => unknown;

function invokerOf(node: Call, kind: ReturnType<typeof callKind>): Invoke {
  const { method } = node;
  if (kind === 'agent') return (value) => callAgent(value as object, method);
  if (kind === 'collection') return (value, list) => callCollection(value as object, method, list[0]);
  return (value, list) => {
    if (hasMethod(value, method)) return bounded(callValue(value, method, list));
    throw new EvaluationError(
      `\`${describeExpression(node.object)}\` is ${nameKind(value)}; it has no \`${method}()\`.`,
    );
  };
}

function nameKind(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The result of a link whose left side is absent. */
function whenAbsent(node: Link, target: () => string): (value: unknown) => unknown {
  if (isBelowParsedCall(node.object)) return () => undefined;
  if (node.optional) return () => BROKEN;
  return (value) => {
    if (value === BROKEN) return BROKEN;
    const subject = describeExpression(node.object);
    throw new EvaluationError(`Cannot read ${target()}: \`${subject}\` is ${value === null ? 'null' : 'undefined'}.`);
  };
}

function isBelowParsedCall(expression: Expression): boolean {
  if (expression.kind === 'chain') return isBelowParsedCall(expression.body);
  return expression.kind === 'parsed-call' || (isLink(expression) && isBelowParsedCall(expression.object));
}
