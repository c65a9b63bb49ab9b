import type { GraphEdge, GraphNode } from '../../protocol/web/graph-view.ts';

/** A drawing before layout: nested boxes, and links between boxes with the same parent. */
export interface Chart {
  /** `lanes`: side by side in their order; where links lead from one to another they are laid out like any others. */
  readonly arrange: 'flow' | 'lanes';
  readonly boxes: readonly ChartBox[];
  readonly links: readonly ChartLink[];
}

export interface ChartBox {
  readonly about: ChartSubject;
  readonly inner: Chart | null;
}

export type ChartSubject = Omit<GraphNode, 'x' | 'y' | 'width' | 'height' | 'parent'>;

export type ChartLink = Omit<GraphEdge, 'points' | 'labelAt'>;

export type Direction = 'right' | 'down';
