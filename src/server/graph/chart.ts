import type { GraphEdge, GraphNode } from '../../protocol/web/graph-view.ts';

/** What is to be drawn, before anything has a place: boxes in boxes, and links between boxes of the same one. */
export interface Chart {
  /** `lanes`: side by side in their order; where links lead from one to another they are laid out like any others. */
  readonly arrange: 'flow' | 'lanes';
  readonly boxes: readonly Box[];
  readonly links: readonly Link[];
}

export interface Box {
  readonly about: About;
  readonly inner: Chart | null;
}

export type About = Omit<GraphNode, 'x' | 'y' | 'width' | 'height' | 'parent'>;

export type Link = Omit<GraphEdge, 'points' | 'labelAt'>;

export type Direction = 'right' | 'down';
