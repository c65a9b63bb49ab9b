import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';

/** A line of the outline: the nodes of the picture, what is inside of one below it. */
export interface OutlineRow {
  readonly node: GraphNode;
  /** Of a lane: the state that its pool is. */
  readonly pool: string | null;
  /** From 1. */
  readonly level: number;
}

export function outlineRows({ nodes }: GraphView): readonly OutlineRow[] {
  const inside = Map.groupBy(
    nodes.filter(({ kind }) => kind !== 'start'),
    ({ parent }) => parent,
  );
  const states = new Map(nodes.map(({ id, state }) => [id, state]));
  const below = (parent: string | null, level: number): readonly OutlineRow[] =>
    (inside.get(parent) ?? []).flatMap((node) => [
      { node, pool: states.get(node.parent ?? '') ?? null, level },
      ...below(node.id, level + 1),
    ]);
  return below(null, 1);
}

/** What a key of a tree does: go to another row, unfold or fold this one, or choose it. */
export type OutlineMove =
  | { readonly kind: 'go'; readonly to: OutlineRow }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'choose' };

export function outlineMove(rows: readonly OutlineRow[], at: OutlineRow, key: string): OutlineMove | null {
  const { inside } = at.node;
  if (key === 'Enter' || key === ' ') return { kind: 'choose' };
  if ((key === 'ArrowRight' && inside === 'folded') || (key === 'ArrowLeft' && inside === 'open'))
    return { kind: 'toggle' };
  const to = target(rows, at, key);
  return to === undefined ? null : { kind: 'go', to };
}

function target(rows: readonly OutlineRow[], at: OutlineRow, key: string): OutlineRow | undefined {
  const place = rows.indexOf(at);
  switch (key) {
    case 'ArrowDown':
      return rows[place + 1];
    case 'ArrowUp':
      return rows[place - 1];
    case 'Home':
      return rows[0];
    case 'End':
      return rows.at(-1);
    case 'ArrowLeft':
      return rows.find(({ node }) => node.id === at.node.parent);
    default:
      return key === 'ArrowRight' && at.node.inside === 'open' ? rows[place + 1] : undefined;
  }
}
