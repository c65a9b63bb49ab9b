import { historyOf } from './run-history.ts';
import type { RunTree } from './run-tree.ts';

const HUES = 8;

/** The agents of a tree by the time they first appeared: an agent keeps its place, because later ones come later. */
export function agentOrder(tree: RunTree): readonly string[] {
  const known = ORDERS.get(tree.runs) ?? orderIn(tree);
  ORDERS.set(tree.runs, known);
  return known;
}

const ORDERS = new WeakMap<RunTree['runs'], readonly string[]>();

function orderIn(tree: RunTree): readonly string[] {
  const first = new Map<string, number>();
  for (const run of tree.runs.values())
    for (const [agent, at] of historyOf(run).firstSeen) first.set(agent, Math.min(at, first.get(agent) ?? at));
  return [...first].toSorted(([a, atA], [b, atB]) => atA - atB || (a < b ? -1 : 1)).map(([agent]) => agent);
}

export function agentColour(order: readonly string[], agent: string): string {
  const place = order.indexOf(agent);
  return place === -1 ? 'var(--muted)' : `var(--agent-${(place % HUES) + 1})`;
}
