import type { Position } from '../model/fault.ts';
import type { Finding } from '../model/finding.ts';
import type { State, Workflow } from '../model/workflow.ts';

/** Names that conditions, inputs and scripts mention as fixed text. Code for the isolate is not searched. */
export interface NameRead {
  readonly name: string;
  readonly path: string;
  readonly at?: Position | undefined;
}

/** Every `function.NAME` of a workflow. */
export function parsedCallsIn(workflow: Workflow): readonly NameRead[] {
  return namesIn(workflow, (node) => (node['kind'] === 'parsed-call' ? text(node['tool']) : undefined));
}

/** Every `function.NAME.arguments.ARGUMENT` of a workflow. */
export function argumentsReadIn(workflow: Workflow): readonly (NameRead & { readonly tool: string })[] {
  return namesIn(workflow, (node) => {
    const { object } = node;
    const isBelow = isNode(object) && object['kind'] === 'member' && object['property'] === 'arguments';
    const call = isBelow && isNode(object['object']) ? object['object'] : {};
    const name = call['kind'] === 'parsed-call' ? propertyRead(node) : undefined;
    return name === undefined ? undefined : `${text(call['tool'])} ${name}`;
  }).map((read) => {
    const [tool = '', name = ''] = read.name.split(' ');
    return { ...read, tool, name };
  });
}

/** Every variable of the run that the workflow reads. */
export function dataReadIn(workflow: Workflow): readonly NameRead[] {
  return namesIn(workflow, (node) => {
    const name = isData(node['object']) ? propertyRead(node) : undefined;
    return name === 'variables' ? undefined : name;
  });
}

/** The variables that have a first value or are set somewhere; null where code for the isolate may set any. */
export function dataSetIn(workflow: Workflow): ReadonlySet<string> | null {
  const names = [...Object.keys(workflow.data), ...workflow.inputs.map((input) => input.name)];
  for (const state of Object.values(workflow.states)) {
    for (const { node } of nodesOf(state)) {
      const set = setBy(node);
      if (set === null) return null;
      names.push(...set);
    }
  }
  return new Set(names);
}

function setBy(node: Node): readonly string[] | null {
  const { kind, source, path, keeps } = node;
  if (kind === 'compute') return typeof keeps === 'string' ? [keeps] : [];
  if (kind === 'isolate') return setInSource(text(source) ?? '');
  if (!Array.isArray(path)) return [];
  const [first, second] = path as readonly string[];
  return [first, ...(first === 'variables' ? [second] : [])].filter((name) => name !== undefined);
}

/** Code names the variables it sets; if it uses them as a whole, it may set any. */
function setInSource(source: string): readonly string[] | null {
  const mentions = source.match(/\b(?:common_data|variables)\b/g) ?? [];
  const named = [...source.matchAll(/\b(?:common_data|variables)\s*(?:\?\.|\.|\[\s*['"])\s*([\w$]+)/g)];
  return named.length < mentions.length ? null : named.map(([, name = '']) => name);
}

/** `common_data`, `this.common_data`, and their alias `variables`. */
function isData(value: unknown): boolean {
  const isBelow = isNode(value) && value['kind'] === 'member' && value['property'] === 'variables';
  return (
    isRoot(value, 'common_data') || isRoot(value, 'variables') || (isBelow && isRoot(value['object'], 'common_data'))
  );
}

function propertyRead(node: Node): string | undefined {
  if (node['kind'] === 'member') return text(node['property']);
  return node['kind'] === 'index' ? literalText(node['index']) : undefined;
}

/** Agents and contexts that code asks for although the workflow has none of that name. */
export function validateNamesRead(workflow: Workflow): readonly Finding[] {
  const agents = new Set(workflow.agents.map((agent) => agent.name));
  const contexts = new Set(workflow.contexts.map((context) => context.name));
  return [
    ...namesIn(workflow, (node) => nameAskedFor(node, 'agents', ['getAgent', 'getToolCalls']))
      .filter(({ name }) => !agents.has(name))
      .map((read) => ({
        ...where(read),
        code: 'AGENT_UNKNOWN' as const,
        message: `There is no agent named "${read.name}".`,
      })),
    ...namesIn(workflow, (node) => nameAskedFor(node, 'contexts', ['getContext']))
      .filter(({ name }) => !contexts.has(name))
      .map((read) => ({
        ...where(read),
        code: 'CONTEXT_UNKNOWN' as const,
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

/** The model is plain data, so one walk finds every expression. Literals are the author's data and are skipped. */
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
