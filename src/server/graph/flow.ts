import type { Direction } from './chart.ts';

/** Boxes of known sizes and the links between them, by number: all that a layout looks at. */
export interface Flow {
  readonly direction: Direction;
  readonly sizes: readonly Size[];
  readonly links: readonly FlowLink[];
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface FlowLink {
  readonly from: number;
  readonly to: number;
  readonly isBack: boolean;
  readonly label: Size | null;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where everything is, from the upper left corner of what surrounds it. */
export interface LaidFlow extends Size {
  readonly places: readonly Point[];
  readonly routes: readonly Route[];
}

export interface Route {
  readonly points: readonly Point[];
  readonly labelAt: (Point & Size) | null;
}
