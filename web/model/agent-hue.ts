import type { RecordLine } from '../../src/protocol/web/record-page.ts';
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
  for (const { lines, count } of tree.runs.values()) {
    for (const [agent, at] of seenIn(lines, count)) first.set(agent, Math.min(at, first.get(agent) ?? at));
  }
  return [...first].toSorted(([a, atA], [b, atB]) => atA - atB || (a < b ? -1 : 1)).map(([agent]) => agent);
}

export function agentColour(order: readonly string[], agent: string): string {
  const place = order.indexOf(agent);
  return place === -1 ? 'var(--muted)' : `var(--agent-${(place % HUES) + 1})`;
}

/** The lines of a run only grow, so each is looked at once. */
function seenIn(lines: readonly RecordLine[], count: number): ReadonlyMap<string, number> {
  const known = SEEN.get(lines) ?? { upTo: 0, first: new Map<string, number>() };
  for (; known.upTo < count; known.upTo += 1) {
    const record = lines[known.upTo]?.record;
    const agent = record?.fact.kind === 'task.started' ? agentOf(record.fact.work) : null;
    if (record !== undefined && agent !== null && !known.first.has(agent)) known.first.set(agent, record.at);
  }
  SEEN.set(lines, known);
  return known.first;
}

const SEEN = new WeakMap<readonly RecordLine[], { upTo: number; readonly first: Map<string, number> }>();

const agentOf = (work: object): string | null =>
  'agent' in work && typeof work.agent === 'string' ? work.agent : null;
