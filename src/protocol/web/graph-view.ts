/** A workflow or a run laid out for drawing. Nothing in it changes while the run only moves: what is active is a fold of the records. */
export interface GraphView {
  /** Of everything below: the same hash is the same picture. */
  readonly hash: string;
  readonly direction: 'right' | 'down';
  readonly width: number;
  readonly height: number;
  /** Parents before their children. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphNode {
  /** The way down: `implement`, `implement/impl_1` (a lane), `implement/t3/plan` (a state of the child run of a unit or call). */
  readonly id: string;
  readonly parent: string | null;
  readonly kind:
    | 'turn'
    | 'tell'
    | 'clear'
    | 'script'
    | 'command'
    | 'call'
    | 'pool'
    | 'ask'
    | 'merge'
    | 'wait'
    | 'compute'
    | 'choice'
    | 'end'
    | 'lane'
    | 'start';
  /** The author's word for it. */
  readonly label: string;
  /** Who or what does it, in a line. */
  readonly detail: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The state in the workflow of `run`; null for lanes and the start. */
  readonly state: string | null;
  /**
   * All states of that workflow it stands for: it is active while the run is in one of them. More than one where its author wrote
   * something that runs as several states, as a stage does.
   */
  readonly states: readonly string[];
  /** Those of `states` whose visits are visits of the node: not the engine's own steps before, after and between them. */
  readonly counted: readonly string[];
  /** The run whose state it is; null in the picture of a file. */
  readonly run: string | null;
  /** Of a lane: its unit. */
  readonly unit: string | null;
  /** It has an inside that is not shown now, or is. */
  readonly inside: 'none' | 'folded' | 'open';
  /** Where its author wrote it. */
  readonly file: string | null;
  readonly line: number | null;
  /** Of an end. */
  readonly outcome: string | null;
}

export interface GraphEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** In full; the box at `labelAt` has room for its beginning, as `labelLines` cuts it. */
  readonly label: string;
  /** For the last edge taken: the outcome and the number of the transition, as `state.entered` tells them; of the first of its ways. */
  readonly outcome: string;
  /** -1 where it is no transition of the workflow that runs: then the edge was taken that lies between the last two nodes. */
  readonly transition: number;
  /** Every transition it stands for: outcomes that lead to the same state share a line. Empty where `transition` is -1. */
  readonly ways: readonly { readonly state: string; readonly outcome: string; readonly transition: number }[];
  /** Against the reading direction. */
  readonly isBack: boolean;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly labelAt: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null;
}
