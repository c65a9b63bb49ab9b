import { historyOf } from './run-history.ts';
import type { GraphEdge, GraphNode, GraphView } from '../../src/protocol/web/graph-view.ts';
import { NO_RUN } from './graph-state.ts';
import type { RunTree } from './run-tree.ts';
import type { Visit, Visits } from '../../src/protocol/history/visits.ts';

/** Which edges of a picture a run took. */
export interface EdgeMark {
  readonly isLast: boolean;
  /** How often it was taken; what was undone does not count. */
  readonly taken: number;
}

export const NOT_TAKEN: EdgeMark = { isLast: false, taken: 0 };

export const isSameEdge = (a: EdgeMark, b: EdgeMark): boolean => a.isLast === b.isLast && a.taken === b.taken;

/** Finds the edge of a visit in a picture; made once per picture. */
export class EdgeBook {
  /** By run and state: the node. */
  readonly #nodes = new Map<string, GraphNode>();
  /** By the nodes at its ends. */
  readonly #edges: ReadonlyMap<string, readonly GraphEdge[]>;
  readonly #runs: ReadonlyMap<string, string | null>;
  readonly #walked = new WeakMap<Visits, Walked>();

  constructor({ nodes, edges }: Pick<GraphView, 'nodes' | 'edges'>) {
    for (const node of nodes) for (const state of node.states) this.#nodes.set(`${node.run ?? ''} ${state}`, node);
    this.#edges = Map.groupBy(edges, ({ from, to }) => `${from} ${to}`);
    this.#runs = new Map(nodes.map(({ id, run }) => [id, run]));
  }

  mark(tree: RunTree, edge: GraphEdge): EdgeMark {
    const name = this.#runs.get(edge.from) ?? null;
    const run = tree.runs.get(name ?? NO_RUN);
    if (run === undefined) return NOT_TAKEN;
    const visits = historyOf(run).visits;
    let walked = this.#walked.get(visits);
    if (walked === undefined) this.#walked.set(visits, (walked = this.#walk(visits, name ?? '')));
    return { isLast: walked.last === edge.id, taken: walked.counts.get(edge.id) ?? 0 };
  }

  #walk({ counting }: Visits, run: string): Walked {
    const counts = new Map<string, number>();
    let [last, at]: [string | null, GraphNode | undefined] = [null, undefined];
    for (const visit of counting) {
      const node = this.#nodes.get(`${run} ${visit.state}`);
      if (node === undefined) continue;
      const edge = at === undefined ? undefined : this.#edgeBetween(at, node, visit);
      if (edge !== undefined) counts.set(edge.id, (counts.get(edge.id) ?? 0) + 1);
      // From one state to another of the same node no edge leads, and the last one stays.
      if (edge !== undefined || at !== node) last = edge?.id ?? null;
      at = node;
    }
    return { counts, last };
  }

  /** By its transition; an edge of the author's own drawing is the one that lies between both. */
  #edgeBetween(from: GraphNode, to: GraphNode, { from: by }: Visit): GraphEdge | undefined {
    const between = this.#edges.get(`${from.id} ${to.id}`) ?? [];
    const isWay = ({ ways }: GraphEdge): boolean =>
      ways.some(({ outcome, transition }) => outcome === by?.outcome && transition === by.transition);
    return between.find(isWay) ?? (from === to ? undefined : between.find(({ transition }) => transition === -1));
  }
}

interface Walked {
  readonly counts: ReadonlyMap<string, number>;
  readonly last: string | null;
}
