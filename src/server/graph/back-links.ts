/** An edge from one to another, by their places in the author's order. */
export interface Arc {
  readonly from: number;
  readonly to: number;
}

/**
 * Which edges lead back: those that are part of a circle and go to something written earlier. An edge to an earlier state from
 * which nothing leads here again is no way back, only written in another order. Without those that lead back there is no circle.
 */
export function backArcs(count: number, arcs: readonly Arc[]): readonly boolean[] {
  const circle = circlesOf(count, arcs);
  return arcs.map(({ from, to }) => to <= from && circle[from] === circle[to]);
}

/** By node the number of the circle it is in (its strongly connected component), without recursion: charts may be long. */
function circlesOf(count: number, arcs: readonly Arc[]): readonly number[] {
  const next: number[][] = Array.from({ length: count }, () => []);
  const before: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of arcs) {
    next[from]?.push(to);
    before[to]?.push(from);
  }
  const circle: number[] = Array.from({ length: count }, () => -1);
  let number = 0;
  for (const node of finishOrder(next).toReversed()) {
    if (circle[node] !== -1) continue;
    const open = [node];
    circle[node] = number;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const other of before[at] ?? []) {
        if (circle[other] !== -1) continue;
        circle[other] = number;
        open.push(other);
      }
    }
    number += 1;
  }
  return circle;
}

/** Nodes in the order in which a walk in depth leaves them. */
function finishOrder(next: readonly (readonly number[])[]): readonly number[] {
  const seen = new Set<number>();
  const order: number[] = [];
  for (const root of next.keys()) {
    if (seen.has(root)) continue;
    seen.add(root);
    const way: { readonly node: number; at: number }[] = [{ node: root, at: 0 }];
    for (let top = way.at(-1); top !== undefined; top = way.at(-1)) {
      const child = next[top.node]?.[top.at];
      top.at += 1;
      if (child === undefined) {
        order.push(top.node);
        way.pop();
      } else if (!seen.has(child)) {
        seen.add(child);
        way.push({ node: child, at: 0 });
      }
    }
  }
  return order;
}
