import type { GraphNode } from '../../../src/protocol/web/graph-view.ts';

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

export const isArrow = (key: string): key is Arrow => key in STEPS;

const STEPS: Readonly<Record<Arrow, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Where an arrow key leads: to the nearest node in that direction, preferring straight ahead. */
export function nextNode(nodes: readonly GraphNode[], from: GraphNode, arrow: Arrow): GraphNode | null {
  const [dx, dy] = STEPS[arrow];
  const start = headOf(from);
  const scored = nodes.flatMap((node) => {
    if (node.id === from.id || node.kind === 'start') return [];
    const end = headOf(node);
    const [x, y] = [end.x - start.x, end.y - start.y];
    const ahead = x * dx + y * dy;
    const beside = Math.abs(x * dy) + Math.abs(y * dx);
    return ahead < 4 || beside > ahead * 3 ? [] : [{ node, score: ahead + beside * 2 }];
  });
  return scored.toSorted((a, b) => a.score - b.score)[0]?.node ?? null;
}

/** Uses the head of a node with an inside, since other nodes are at its middle. */
function headOf({ x, y, width, height, inside }: GraphNode): { readonly x: number; readonly y: number } {
  return inside === 'open' ? { x: x + Math.min(width, 160) / 2, y: y + 16 } : { x: x + width / 2, y: y + height / 2 };
}
