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

/** What has come of units together with all that was split off from them. */
export interface Standing {
  /** It came out ok, and so did all its parts. */
  readonly isMet: (id: string) => boolean;
  /** It will never be met. */
  readonly isLost: (id: string) => boolean;
}

/** Who is a part of whom is looked up once, since a pool asks this of all its units whenever one of them ends. */
export function standingOf(units: Readonly<Record<string, Unit>>): Standing {
  const parts = Map.groupBy(Object.values(units), ({ partOf }) => partOf);
  const partsOf = (id: string): readonly Unit[] => parts.get(id) ?? [];
  const isMet = (id: string): boolean => isGood(units[id]) && partsOf(id).every((part) => isMet(part.id));
  const isLost = (id: string): boolean => {
    const unit = units[id];
    return (unit?.status === 'ended' && !isGood(unit)) || partsOf(id).some((part) => isLost(part.id));
  };
  return { isMet, isLost };
}

/** It came out ok, or there was nothing to do. */
export const isGood = (unit: Unit | undefined): boolean => unit?.outcome === 'ok' || unit?.isPassed === true;

/** In the order they joined: the keys of an object do not keep it, where an id looks like a number. */
export function unitsInOrder(task: Task | undefined): readonly Unit[] {
  const units = Object.values(task?.units ?? {});
  return units.every((unit, at) => unit.index === at) ? units : units.sort((one, other) => one.index - other.index);
}

/** What a pool leaves behind, however it ended: every unit with its outcome (L5). */
export function poolOutput(task: Task | undefined, winner: string | null): Json {
  const units = unitsInOrder(task).map(({ id, outcome, output, reason }) => ({ id, outcome, output, reason }));
  return { units, winner };
}

interface UnitResult {
  readonly outcome: Outcome;
  readonly output: Json;
  readonly reason: string | null;
  readonly isPassed?: true;
}

export function endUnit(task: Task, unit: string, result: UnitResult): Task {
  return markUnit(task, unit, { status: 'ended', ...result });
}

export function markUnit(task: Task, id: string, change: Partial<Unit>): Task {
  const unit = task.units?.[id];
  return unit === undefined ? task : { ...task, units: { ...task.units, [id]: { ...unit, ...change } } };
}
