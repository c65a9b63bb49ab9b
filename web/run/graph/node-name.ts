import type { GraphNode } from '../../../src/protocol/web/graph-view.ts';
import type { NodeLook } from '../../model/node-look.ts';

/** What is read aloud: `turn review, active, visit 2`. */
export function nodeName({ kind, label, detail }: GraphNode, { word, visits, inside }: NodeLook): string {
  const parts = [
    `${kind === 'lane' ? 'unit' : kind} ${label}`,
    detail === label ? '' : detail,
    word,
    visits > 0 ? `visit ${visits}` : '',
    inside,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
