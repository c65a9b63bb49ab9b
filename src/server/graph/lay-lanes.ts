import type { Direction } from './chart.ts';
import type { LaidFlow, Point, Size } from './flow.ts';

const GAP = 8;
const IN_COLUMN = 10;
const IN_ROW = 5;

export interface LaidLanes extends LaidFlow {
  /** Lanes are as long as the longest of them. */
  readonly sizes: readonly Size[];
}

/**
 * Lanes in their order, all of one length: below each other where the drawing goes to the right, else beside each other. Many small
 * ones continue in the next column or row, so that they stay together in sight.
 */
export function layLanes(given: readonly Size[], direction: Direction): LaidLanes {
  const isRight = direction === 'right';
  const columns = isRight ? Math.max(1, Math.ceil(given.length / IN_COLUMN)) : Math.min(given.length, IN_ROW);
  const rows = Math.ceil(given.length / Math.max(1, columns));
  const cell = (index: number): { readonly row: number; readonly column: number } =>
    isRight
      ? { column: Math.floor(index / rows), row: index % rows }
      : { column: index % columns, row: Math.floor(index / columns) };
  const widths = tracks(
    columns,
    given.map(({ width }) => width),
    (index) => cell(index).column,
  );
  const heights = tracks(
    rows,
    given.map(({ height }) => height),
    (index) => cell(index).row,
  );
  const places = given.map((_, index): Point => {
    const { row, column } = cell(index);
    return { x: before(widths, column), y: before(heights, row) };
  });
  const sizes = given.map((_, index): Size => {
    const { row, column } = cell(index);
    return { width: widths[column] ?? 0, height: heights[row] ?? 0 };
  });
  return { width: before(widths, columns) - GAP, height: before(heights, rows) - GAP, places, sizes, routes: [] };
}

/** As wide, or as high, as the largest in each of them. */
function tracks(count: number, sizes: readonly number[], trackOf: (index: number) => number): readonly number[] {
  const tracks = Array.from({ length: count }, () => 0);
  for (const [index, size] of sizes.entries()) {
    const track = trackOf(index);
    tracks[track] = Math.max(tracks[track] ?? 0, size);
  }
  return tracks;
}

const before = (tracks: readonly number[], index: number): number =>
  tracks.slice(0, index).reduce((sum, track) => sum + track + GAP, 0);
