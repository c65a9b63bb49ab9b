import type { UnitsAdded } from '../record/task-fact.ts';
import type { Json } from '../model/json.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Task, Unit } from './snapshot.ts';

/** Adds units to a pool. Every unit stays in the list until it has an outcome (L5). */
export function addUnits(task: Task, fact: UnitsAdded): Task {
  const units = [...(task.units ?? [])];
  for (const unit of fact.units) {
    const index = units.length;
    units.push({ ...unit, index, status: 'waiting', outcome: null, output: null, reason: null, grown: false });
  }
  const grown = fact.by === null ? undefined : unitOf(units, fact.by);
  if (grown !== undefined) units[grown.index] = { ...grown, grown: true };
  return { ...task, units };
}

export function unitOf(units: readonly Unit[] | null | undefined, id: string): Unit | undefined {
  if (units === null || units === undefined) return undefined;
  const index = placesOf(units).get(id);
  return index === undefined ? undefined : units[index];
}

type Places = ReadonlyMap<string, number>;

/** The place of each id, made once for a list and kept for the lists that follow it: only a cache, no part of the snapshot. */
const KNOWN_PLACES = new WeakMap<readonly Unit[], Places>();

function placesOf(units: readonly Unit[]): Places {
  const known = KNOWN_PLACES.get(units);
  if (known !== undefined) return known;
  const places = new Map(units.map((unit) => [unit.id, unit.index]));
  KNOWN_PLACES.set(units, places);
  return places;
}

/** The same units in the same places, one of them changed. */
function withUnit(units: readonly Unit[], unit: Unit): readonly Unit[] {
  const changed = units.with(unit.index, unit);
  KNOWN_PLACES.set(changed, placesOf(units));
  return changed;
}

/** The outcome of units together with all parts that were split off from them. */
export interface UnitStanding {
  /** It succeeded, and so did all its parts. */
  readonly isMet: (id: string) => boolean;
  /** It will never be met. */
  readonly isLost: (id: string) => boolean;
}

/** Built when a unit that waits for another asks first: a pool reads all its units whenever one of them ends. */
export function unitStanding(units: readonly Unit[]): UnitStanding {
  let maps: UnitMaps | null = null;
  const known = (): UnitMaps => (maps ??= mapsOf(units));
  const partsOf = (id: string): readonly Unit[] => known().parts.get(id) ?? [];
  const isMet = (id: string): boolean => isGood(known().byId.get(id)) && partsOf(id).every((part) => isMet(part.id));
  const isLost = (id: string): boolean => {
    const unit = known().byId.get(id);
    return (unit?.status === 'ended' && !isGood(unit)) || partsOf(id).some((part) => isLost(part.id));
  };
  return { isMet, isLost };
}

interface UnitMaps {
  readonly byId: ReadonlyMap<string, Unit>;
  readonly parts: ReadonlyMap<string | undefined, readonly Unit[]>;
}

const mapsOf = (units: readonly Unit[]): UnitMaps => ({
  byId: new Map(units.map((unit) => [unit.id, unit])),
  parts: Map.groupBy(units, ({ partOf }) => partOf),
});

/** It succeeded, or there was nothing to do. */
export const isGood = (unit: Unit | undefined): boolean => unit?.outcome === 'ok' || unit?.isPassed === true;

export const unitsInOrder = (task: Task | undefined): readonly Unit[] => task?.units ?? [];

/** The output of a pool, however it ended: every unit with its outcome (L5). */
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
  const unit = unitOf(task.units, id);
  return unit === undefined || task.units === null
    ? task
    : { ...task, units: withUnit(task.units, { ...unit, ...change }) };
}
