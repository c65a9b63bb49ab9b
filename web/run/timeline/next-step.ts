import type { Selection, SelectionChange } from '../../model/selection.ts';
import type { Bar } from '../../../src/protocol/history/bars.ts';
import type { Visit } from '../../../src/protocol/history/visits.ts';
import type { TimelineRow } from './timeline-rows.ts';

/** The step after or before the one that is chosen; the last one where none is. */
export function nextVisit(visits: readonly Visit[], selection: Selection, by: 1 | -1): Visit | null {
  const { state, visit } = selection;
  const place = visits.findLastIndex((one) => one.state === state && (visit === undefined || one.visit === visit));
  if (place === -1) return visits.at(by === 1 ? 0 : -1) ?? null;
  return visits[place + by] ?? null;
}

/** Clears the finer selection, which belongs to the earlier step. */
const NOTHING = { task: undefined, seq: undefined, agent: undefined, context: undefined };

export function visitSelection({ run, state, visit }: Visit, root: string): SelectionChange {
  return { ...NOTHING, run: run === root ? undefined : run, state, visit };
}

export function barSelection(bar: Bar, root: string): SelectionChange {
  return {
    ...NOTHING,
    run: bar.run === root ? undefined : bar.run,
    state: bar.state,
    visit: bar.visit,
    task: bar.task ?? undefined,
    agent: bar.lane.kind === 'agent' ? bar.lane.agent : undefined,
  };
}

export function isChosenBar(bar: Bar, { run, state, visit, task }: Selection, root: string): boolean {
  if ((run ?? root) !== bar.run) return false;
  if (task !== undefined) return bar.task === task;
  return state === bar.state && (visit === undefined || visit === bar.visit);
}

/** The bar of the next lane that is nearest in time to the one that is chosen. */
export function nextLaneBar(
  rows: readonly TimelineRow[],
  selection: Selection,
  at: { readonly root: string; readonly by: 1 | -1 },
): Bar | null {
  const lanes = rows.flatMap((row) =>
    row.kind === 'lane' && row.lane.kind === 'agent' ? [row.bars.map(({ bar }) => bar)] : [],
  );
  const place = lanes.findIndex((bars) => bars.some((bar) => isChosenBar(bar, selection, at.root)));
  const chosen = lanes[place]?.find((bar) => isChosenBar(bar, selection, at.root));
  const next = place === -1 ? lanes[0] : lanes[place + at.by];
  if (next === undefined) return null;
  return chosen === undefined ? (next.at(-1) ?? null) : nearest(next, chosen.startedAt);
}

/** The next or the previous bar of the same lane. */
export function neighbourBar(rows: readonly TimelineRow[], key: string, by: 1 | -1): Bar | null {
  for (const row of rows) {
    if (row.kind !== 'lane') continue;
    const place = row.bars.findIndex(({ bar }) => bar.key === key);
    if (place !== -1) return row.bars[place + by]?.bar ?? null;
  }
  return null;
}

/** The nearest in time of the lane above or below. */
export function barBeside(rows: readonly TimelineRow[], key: string, by: 1 | -1): Bar | null {
  const lanes = rows.flatMap((row) =>
    row.kind === 'lane' && row.bars.length > 0 ? [row.bars.map(({ bar }) => bar)] : [],
  );
  const place = lanes.findIndex((bars) => bars.some((bar) => bar.key === key));
  const from = lanes[place]?.find((bar) => bar.key === key);
  const next = place === -1 ? undefined : lanes[place + by];
  return next === undefined || from === undefined ? null : nearest(next, from.startedAt);
}

function nearest(bars: readonly Bar[], at: number): Bar | null {
  return bars.reduce<Bar | null>(
    (best, bar) => (best === null || Math.abs(bar.startedAt - at) < Math.abs(best.startedAt - at) ? bar : best),
    null,
  );
}
