import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';
import type { RunTree } from '../../model/run-tree.ts';
import type { Selection, SelectionChange } from '../../model/selection.ts';
import { unitMark } from '../../model/graph-state.ts';

/** The node that the address means; a run that is not unfolded is the node it is inside of. */
export function selectedNode({ nodes }: GraphView, selection: Selection, root: string): GraphNode | null {
  const { state, run = root } = selection;
  if (state === undefined) return null;
  return nodes.find((node) => node.run === run && node.states.includes(state)) ?? null;
}

/** The selection of a node: its state, or for a lane its run or task. */
export function selectionOf(tree: RunTree, node: GraphNode, pool: string | null): SelectionChange {
  const { run } = node;
  // What has not begun has nothing to show.
  if (run === null) return NOTHING;
  const chosen = { ...NOTHING, run: belowRoot(tree, run), state: node.state ?? pool ?? undefined };
  if (node.kind !== 'lane' || node.unit === null || pool === null) return chosen;
  const { task, agent } = unitMark(tree, { run, state: pool, unit: node.unit });
  if (task === null) return chosen;
  const child = tree.runs.get(`${run}/${task}`);
  if (child !== undefined) return { ...NOTHING, run: child.run, state: child.snapshot.current.state };
  return { ...chosen, task, ...(agent === null ? {} : { agent }) };
}

/** Clears the finer selection, which belongs to the earlier node. */
const NOTHING = { visit: undefined, task: undefined, seq: undefined, agent: undefined, context: undefined };

/** The root needs no name in the address. */
export const belowRoot = (tree: Pick<RunTree, 'root'>, run: string): string | undefined =>
  run === tree.root ? undefined : run;
