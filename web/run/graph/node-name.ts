import type { GraphNode } from '../../../src/protocol/web/graph-view.ts';
import type { NodeLook } from '../../model/node-look.ts';

/** What stands below the name: what goes on inside of it, else who or what does it. */
export const detailOf = ({ detail, inside }: GraphNode, look: NodeLook): string =>
  inside === 'open' || look.inside === '' ? detail : look.inside;

/** What is read aloud: `turn review, active, visit 2`. What can be read in the node is in it word for word, for whoever speaks it. */
export function nodeName(node: GraphNode, look: NodeLook): string {
  const kind = node.kind === 'lane' ? 'unit' : node.kind;
  const named = [kind, node.label, detailOf(node, look)].filter((part) => part !== '').join(' ');
  const { word, visits } = look;
  return [named, word, visits > 0 ? `visit ${visits}` : ''].filter((part) => part !== '').join(', ');
}
