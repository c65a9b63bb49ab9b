import type { Position } from './fault.ts';
import type { Finding } from './finding.ts';
import type { State, Workflow } from './workflow.ts';

/** Names that conditions, inputs and scripts mention as fixed text. What only the isolate can read is not looked into. */
export interface NameRead {
  readonly name: string;
  readonly path: string;
  readonly at?: Position | undefined;
}

/** Every `function.NAME` of a workflow. */
export function parsedCallsIn(workflow: Workflow): readonly NameRead[] {
  return namesIn(workflow, (node) => (node['kind'] === 'parsed-call' ? text(node['tool']) : undefined));
}

/** Agents and contexts that code asks for although the workflow has none of that name. */
export function validateNamesRead(workflow: Workflow): readonly Finding[] {
  const agents = new Set(workflow.agents.map((agent) => agent.name));
  const contexts = new Set(workflow.contexts.map((context) => context.name));
  return [
    ...namesIn(workflow, (node) => nameAskedFor(node, 'agents', ['getAgent', 'getToolCalls']))
      .filter(({ name }) => !agents.has(name))
      .map((read) => ({ ...where(read), code: 'AGENT_UNKNOWN', message: `There is no agent named "${read.name}".` })),
    ...namesIn(workflow, (node) => nameAskedFor(node, 'contexts', ['getContext']))
      .filter(({ name }) => !contexts.has(name))
      .map((read) => ({
        ...where(read),
        code: 'CONTEXT_UNKNOWN',
        message: `There is no context named "${read.name}".`,
      })),
  ];
}

const where = ({ path, at }: NameRead) => ({ path, at });

type Node = Readonly<Record<string, unknown>>;

/** `getAgent('x')`, `agents.get('x')`, `agents['x']` and `agents.x`, each also behind `this`. */
function nameAskedFor(node: Node, root: 'agents' | 'contexts', methods: readonly string[]): string | undefined {
  const isBelowRoot = isRoot(node['object'], root);
  switch (node['kind']) {
    case 'call':
      return callAsks(node, isBelowRoot ? ['get'] : methods);
    case 'index':
      return isBelowRoot ? literalText(node['index']) : undefined;
    case 'member':
      return isBelowRoot && !MAP_MEMBERS.has(node['property']) ? text(node['property']) : undefined;
    default:
      return undefined;
  }
}

/** The collections answer as maps too. */
const MAP_MEMBERS = new Set<unknown>(['get', 'has', 'size', 'keys', 'values', 'entries', 'forEach']);

function callAsks(node: Node, methods: readonly unknown[]): string | undefined {
  const { arguments: values } = node;
  return methods.includes(node['method']) && Array.isArray(values) ? literalText(values[0]) : undefined;
}

function isRoot(value: unknown, root: string): boolean {
  if (!isNode(value)) return false;
  if (value['kind'] === 'name') return value['name'] === root;
  const { object } = value;
  return value['kind'] === 'member' && value['property'] === root && isNode(object) && object['name'] === 'this';
}

function literalText(value: unknown): string | undefined {
  return isNode(value) && value['kind'] === 'literal' ? text(value['value']) : undefined;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each name once a state. */
function namesIn(workflow: Workflow, nameOf: (node: Node) => string | undefined): readonly NameRead[] {
  return Object.values(workflow.states).flatMap((state) => {
    const found = new Map<string, NameRead>();
    for (const { node, at } of nodesOf(state)) {
      const name = nameOf(node);
      if (name !== undefined && !found.has(name)) found.set(name, { name, path: `states.${state.name}`, at });
    }
    return [...found.values()];
  });
}

interface PlacedNode {
  readonly node: Node;
  readonly at: Position | undefined;
}

/** The model is plain data, so one walk over it meets every expression. What a literal holds is data of the author. */
function* nodesOf(state: State): Generator<PlacedNode> {
  const stack: { readonly value: unknown; readonly at: Position | undefined }[] = [{ value: state, at: state.at }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { value } = top;
    let { at } = top;
    if (isNode(value)) {
      if (value['kind'] === 'literal') continue;
      at = (value['at'] as Position | undefined) ?? at;
      yield { node: value, at };
    }
    if (typeof value !== 'object' || value === null) continue;
    stack.push(
      ...Object.values(value)
        .map((inner: unknown) => ({ value: inner, at }))
        .reverse(),
    );
  }
}
