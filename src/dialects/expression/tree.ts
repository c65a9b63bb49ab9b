import type { AnyNode, Node } from 'acorn';
import { SourceProblem } from './source-problem.ts';

/** One node with its place in the tree. */
export interface NodeVisit {
  readonly node: AnyNode;
  readonly parent: NodeVisit | null;
  /** The parent's field that holds the node. */
  readonly key: string;
  readonly depth: number;
}

const DEEPEST_TREE = 700;

/** Every node of a tree, parents before children. A loop and not a recursion, so depth is a message and not a crash. */
export function visitTree(root: Node): readonly NodeVisit[] {
  const visits: NodeVisit[] = [{ node: root as AnyNode, parent: null, key: '', depth: 0 }];
  for (const visit of visits) {
    if (visit.depth > DEEPEST_TREE) throw new SourceProblem('This is nested too deeply.', visit.node.start);
    for (const [key, value] of Object.entries(visit.node) as [string, unknown][]) {
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (isNode(child)) visits.push({ node: child, parent: visit, key, depth: visit.depth + 1 });
      }
    }
  }
  return visits;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;

/** The names a pattern binds or assigns: one for `x`, several for `{ a, b: [c] }`. */
export function patternNames(pattern: AnyNode): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        patternNames(property.type === 'RestElement' ? property.argument : property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : patternNames(element)));
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    case 'RestElement':
      return patternNames(pattern.argument);
    default:
      return [];
  }
}

/** The property of a member access when it can be told from the source: `a.b` and `a['b']`. */
export function staticProperty(node: AnyNode): string | null {
  if (node.type !== 'MemberExpression') return null;
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : null;
  return node.property.type === 'Literal' && typeof node.property.value === 'string' ? node.property.value : null;
}
