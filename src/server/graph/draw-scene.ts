import type { GraphView } from '../../protocol/web/graph-view.ts';
import { buildChart, type Building } from './build-chart.ts';
import type { Direction } from './chart.ts';
import { layChart } from './lay-chart.ts';
import { FlowLayout } from './lay-flow.ts';
import type { Scene } from './scene.ts';

export interface DrawOptions {
  readonly building: Building;
  /** Keeps what it has laid out; a new one by default. */
  readonly layout?: FlowLayout;
  readonly direction?: Direction;
}

/** With the units of its pools, and what it calls folded. */
export const PLAIN: DrawOptions = {
  building: { opened: { pool: () => true, child: () => false }, below: () => Promise.resolve(null) },
};

/** A workflow, laid out. */
export async function drawScene(scene: Scene, options: DrawOptions): Promise<GraphView> {
  const { building, layout = new FlowLayout(), direction } = options;
  return await layChart(await buildChart(scene, building), layout, direction);
}
