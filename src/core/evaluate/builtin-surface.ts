import { EvaluationError } from './evaluation-error.ts';
import type { Expression } from '../model/expression.ts';
import { quoteForShell } from '../model/shell-quote.ts';
import type { SurfaceData } from './surface.ts';

/**
 * Which names and methods the core evaluates by itself (SM5). The parser asks the same tables which expressions it may keep
 * native, so the two cannot drift apart; the isolate offers the same names to all other scripts.
 */
export type Evaluate = (surface: SurfaceData) => unknown;

/** Each reads one getter of the surface, so an expression pays only for the names it uses. */
const ROOTS: ReadonlyMap<string, Evaluate> = new Map<string, Evaluate>([
  ['common_data', (surface) => surface.common_data],
  ['variables', (surface) => surface.common_data],
  ['agents', (surface) => surface.agents],
  ['contexts', (surface) => surface.contexts],
  ['sub_workflow_result', (surface) => surface.sub_workflow_result],
  ['last_agent_response', (surface) => surface.last_agent_response],
  ['last_tool_calls', (surface) => surface.last_tool_calls],
  ['last_parsing_tool_calls', (surface) => surface.last_parsing_tool_calls],
]);

export const SURFACE_ROOTS: readonly string[] = [...ROOTS.keys()];

/** Methods of `this`; each except `quote` takes a name and fails if that name does not exist. */
const SELF_METHODS: ReadonlySet<string> = new Set(['getAgent', 'getContext', 'getToolCalls', 'quote']);
const COLLECTION_METHODS: ReadonlySet<string> = new Set(['get', 'has']);
const AGENT_METHODS: ReadonlyMap<string, string> = new Map([
  ['getLastResponse', 'lastResponse'],
  ['getToolCalls', 'toolCalls'],
  ['getParsingToolCalls', 'parsingToolCalls'],
  ['getRole', 'role'],
  ['getContextRole', 'contextRole'],
]);

export const rootReader = (name: string): Evaluate | undefined => ROOTS.get(name);

/** `this`, which is also called `executionContext`. */
export const isSelf = (expression: Expression): boolean =>
  expression.kind === 'name' && (expression.name === 'this' || expression.name === 'executionContext');

/** The root an expression stands for: `agents` for both `agents` and `this.agents`. */
export function surfaceRoot(expression: Expression): string | null {
  if (expression.kind === 'name') return ROOTS.has(expression.name) ? expression.name : null;
  if (expression.kind !== 'member' || !isSelf(expression.object)) return null;
  return ROOTS.has(expression.property) ? expression.property : null;
}

/** The run's data by any of its names, `common_data.variables` among them. */
export function isData(expression: Expression): boolean {
  const root = surfaceRoot(expression);
  if (root !== null) return root === 'common_data' || root === 'variables';
  return expression.kind === 'member' && expression.property === 'variables' && isData(expression.object);
}

export type CallKind = 'self' | 'collection' | 'agent' | 'value';

/** How the core answers `object.method(…)`, or null when only the isolate can. */
export function callKind(object: Expression, method: string): CallKind | null {
  if (isSelf(object)) return SELF_METHODS.has(method) ? 'self' : null;
  if (isCollection(object)) return COLLECTION_METHODS.has(method) ? 'collection' : null;
  if (isAgent(object)) return AGENT_METHODS.has(method) ? 'agent' : null;
  return STRING_METHODS.has(method) || LIST_METHODS.has(method) ? 'value' : null;
}

const isCollection = (expression: Expression): boolean => {
  const root = surfaceRoot(expression);
  return root === 'agents' || root === 'contexts';
};

/** Decided by its form alone: an author's data may look like an agent and must not gain its methods. */
function isAgent(expression: Expression): boolean {
  switch (expression.kind) {
    case 'chain':
      return isAgent(expression.body);
    case 'member':
    case 'index':
      return surfaceRoot(expression.object) === 'agents';
    case 'call':
      return expression.method === (isSelf(expression.object) ? 'getAgent' : 'get') && namesAgents(expression.object);
    default:
      return false;
  }
}

const namesAgents = (expression: Expression): boolean => isSelf(expression) || surfaceRoot(expression) === 'agents';

/** `this.getAgent(name)` and its kin. */
export function callSelf(surface: SurfaceData, method: string, name: unknown): unknown {
  if (method === 'quote') return quoteValue(name);
  if (method === 'getContext') return find(surface.contexts, name, 'context');
  const agent = find(surface.agents, name, 'agent');
  return method === 'getToolCalls' ? agent.toolCalls : agent;
}

/** `quote(value)`: a text or a number as one shell word, a list as several. */
function quoteValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(quoteValue).join(' ');
  if (['string', 'number', 'boolean'].includes(typeof value)) return quoteForShell(String(value));
  throw new EvaluationError('`quote()` takes a text, a number, or a list of them.');
}

function find<T>(collection: Readonly<Record<string, T>>, name: unknown, what: string): T {
  const key = String(name);
  const found = Object.hasOwn(collection, key) ? collection[key] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(collection).join(', ');
  throw new EvaluationError(`There is no ${what} \`${key}\` here${names === '' ? '.' : `; there is: ${names}.`}`);
}

/** `agents.get(name)`: like a Map, undefined when there is none. */
export function callCollection(collection: object, method: string, name: unknown): unknown {
  const key = String(name);
  const has = Object.hasOwn(collection, key);
  if (method === 'has') return has;
  return has ? (collection as Readonly<Record<string, unknown>>)[key] : undefined;
}

export const callAgent = (agent: object, method: string): unknown =>
  (agent as Readonly<Record<string, unknown>>)[AGENT_METHODS.get(method) ?? ''];

const STRING_METHODS: ReadonlySet<string> = new Set([
  'includes',
  'startsWith',
  'endsWith',
  'indexOf',
  'slice',
  'at',
  'trim',
  'toLowerCase',
  'toUpperCase',
]);
const LIST_METHODS: ReadonlySet<string> = new Set(['includes', 'indexOf', 'slice', 'join', 'at']);

/** Whether a text or a list has this method. The sets above are all that is ever called, and all of it is pure. */
export function hasMethod(value: unknown, method: string): boolean {
  if (typeof value === 'string') return STRING_METHODS.has(method);
  return Array.isArray(value) && LIST_METHODS.has(method);
}

export function callValue(value: unknown, method: string, list: readonly unknown[]): unknown {
  const methods = value as Readonly<Record<string, (...list: readonly unknown[]) => unknown>>;
  return methods[method]?.(...list);
}
