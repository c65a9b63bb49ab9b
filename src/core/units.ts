import type { UnitsAdded } from './fact.ts';
import type { Json } from './json.ts';
import type { Outcome } from './outcome.ts';
import type { Task, Unit } from './snapshot.ts';

/** How a pool's facts change its units. Every unit that went in stays in the list until it has an outcome (L5). */
export function addUnits(task: Task, fact: UnitsAdded): Task {
  const units: Record<string, Unit> = { ...task.units };
  for (const unit of fact.units) {
    units[unit.id] = {
      ...unit,
      index: Object.keys(units).length,
      status: 'waiting',
      outcome: null,
      output: null,
      reason: null,
      grown: false,
    };
  }
  const grown = fact.by === null ? undefined : units[fact.by];
  if (grown !== undefined) units[grown.id] = { ...grown, grown: true };
  return { ...task, units };
}

interface UnitResult {
  readonly outcome: Outcome;
  readonly output: Json;
  readonly reason: string | null;
}

export function endUnit(task: Task, unit: string, result: UnitResult): Task {
  const { outcome, output, reason } = result;
  return markUnit(task, unit, { status: 'ended', outcome, output, reason });
}

export function markUnit(task: Task, id: string, change: Partial<Unit>): Task {
  const unit = task.units?.[id];
  return unit === undefined ? task : { ...task, units: { ...task.units, [id]: { ...unit, ...change } } };
}
