import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';
import { nodeLook, type NodeLook } from '../../model/graph-state.ts';
import type { RunTree } from '../../model/run-tree.ts';
import { fitting, READABLE, type Pane } from './camera.ts';

/** The nodes where something continues now, innermost ones only; in the order of the picture. */
export function activeNodes({ nodes }: GraphView, tree: RunTree): readonly GraphNode[] {
  const states = new Map(nodes.map(({ id, state }) => [id, state]));
  const active = nodes.filter((node) =>
    AT_WORK.has(nodeLook(tree, node, states.get(node.parent ?? '') ?? null).status),
  );
  const parents = new Set(active.map(({ parent }) => parent));
  return active.filter(({ id }) => !parents.has(id));
}

const AT_WORK: ReadonlySet<NodeLook['status']> = new Set(['active', 'asks', 'still']);

/** The node to show first: the active one, or the end of a failed run. Null: the beginning. */
export function firstNode(view: GraphView, tree: RunTree): GraphNode | null {
  const [active] = activeNodes(view, tree);
  if (active !== undefined) return active;
  const root = tree.runs.get(tree.root)?.snapshot;
  if (root?.result == null || root.result.outcome === 'ok') return null;
  const { state } = root.current;
  return view.nodes.find(({ run, states }) => run === tree.root && states.includes(state)) ?? null;
}

/** The assumed size of the pane before it is known. */
const USUAL: Pane = { width: 660, height: 400 };

/**
 * What is unfolded when a run is first shown. All pools where the whole can be read like that; else only what is active. What is
 * active and hides a single run shows it.
 */
export function firstOpen(view: GraphView, tree: RunTree, pane = USUAL): readonly string[] {
  const active = activeNodes(view, tree);
  const around = new Set(active.flatMap((node) => [node.id, ...ancestors(view, node)]));
  const open = view.nodes.filter(({ inside }) => inside === 'open').map(({ id }) => id);
  const isReadable = fitting(view, pane).zoom >= READABLE;
  const inner = active.filter(({ inside }) => inside === 'folded').map(({ id }) => id);
  const kept = isReadable ? open : open.filter((id) => around.has(id));
  return [...kept, ...(inner.length === 1 ? inner : [])];
}

function ancestors({ nodes }: GraphView, { parent }: GraphNode): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found: string[] = [];
  for (let id = parent; id !== null; id = byId.get(id)?.parent ?? null) found.push(id);
  return found;
}

/** Further parts to unfold, so that the active node is visible. */
export function openFor(view: GraphView, tree: RunTree): readonly string[] {
  return activeNodes(view, tree)
    .filter(({ inside }) => inside === 'folded')
    .map(({ id }) => id);
}
