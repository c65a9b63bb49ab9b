import { UNKNOWN_UNIT, type UnitMark } from '../../src/protocol/history/units.ts';
import { NO_RUN } from './graph-state.ts';
import { historyOf } from './run-history.ts';
import type { RunTree } from './run-tree.ts';

export interface UnitPlace {
  readonly run: string | null;
  readonly state: string;
  readonly unit: string;
}

export function unitMark(tree: RunTree, { run, state, unit }: UnitPlace): UnitMark {
  const known = tree.runs.get(run ?? NO_RUN);
  return known === undefined ? UNKNOWN_UNIT : (historyOf(known).units.get(state)?.get(unit) ?? UNKNOWN_UNIT);
}
