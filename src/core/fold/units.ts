import type { UnitsAdded } from '../record/task-fact.ts';
import type { Json } from '../model/json.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Task, Unit } from './snapshot.ts';

/**
 * The units of a pool, in pages: a change copies one page and the list of pages, where a list of 100,000 units would be copied
 * whole for each of them. All pages but the last are full.
 */
export type UnitPages = readonly (readonly Unit[])[];

const PAGE = 256;

/** Adds units to a pool. Every unit stays in the list until it has an outcome (L5). */
export function addUnits(task: Task, fact: UnitsAdded): Task {
  const before = task.units ?? [];
  const known = knownOf(before);
  const first = known.count;
  const added = fact.units.map((unit, at): Unit => ({
    ...unit,
    index: first + at,
    status: 'waiting',
    outcome: null,
    output: null,
    reason: null,
    grown: false,
    ...(fact.by === null ? {} : { by: fact.by }),
  }));
  const full = first % PAGE === 0 ? before : before.slice(0, -1);
  const units = [...full, ...pagesOf([...before.slice(full.length).flat(), ...added])];
  KNOWN.set(units, withAdded(known, added));
  const grown = fact.by === null ? undefined : unitOf(units, fact.by);
  return { ...task, units: grown === undefined ? units : withUnit(units, { ...grown, grown: true }) };
}

export const pagesOf = (units: readonly Unit[]): UnitPages =>
  Array.from({ length: Math.ceil(units.length / PAGE) }, (_, page) => units.slice(page * PAGE, (page + 1) * PAGE));

export function unitOf(units: UnitPages | null | undefined, id: string): Unit | undefined {
  if (units === null || units === undefined) return undefined;
  const index = knownOf(units).places.get(id);
  const unit = index === undefined ? undefined : unitAt(units, index);
  return unit?.id === id ? unit : undefined;
}

const unitAt = (units: UnitPages, index: number): Unit | undefined => units[Math.floor(index / PAGE)]?.[index % PAGE];

/** What is found out about a list once and kept for the lists that follow it: only a cache, no part of the snapshot. */
interface Known {
  readonly count: number;
  /** Shared by all lists that come of one another, so it may hold units that this list does not have yet. */
  readonly places: Map<string, number>;
  /** So many at the start have ended. */
  readonly settled: number;
  /** So many at the start have also made the pool grow. */
  readonly passed: number;
  /** So many joined because the pool grew. */
  readonly grown: number;
  /** Some wait for others. */
  readonly isOrdered: boolean;
}

const KNOWN = new WeakMap<UnitPages, Known>();

const NONE: Known = { count: 0, places: new Map(), settled: 0, passed: 0, grown: 0, isOrdered: false };

function knownOf(units: UnitPages): Known {
  const known = KNOWN.get(units) ?? settledIn(units, withAdded(NONE, units.flat()));
  KNOWN.set(units, known);
  return known;
}

function withAdded(known: Known, added: readonly Unit[]): Known {
  // Another list that came of the same one may have grown differently.
  const places = known.count > 0 && known.places.size === known.count ? known.places : new Map(known.places);
  if (places.size !== known.count) for (const [id, index] of places) if (index >= known.count) places.delete(id);
  for (const { id, index } of added) places.set(id, index);
  const isOrdered = known.isOrdered || added.some(({ after }) => after.length > 0);
  const grown = known.grown + added.filter(({ by }) => by !== undefined).length;
  return { ...known, count: known.count + added.length, places, grown, isOrdered };
}

function settledIn(units: UnitPages, known: Known): Known {
  let { settled, passed } = known;
  while (unitAt(units, settled)?.status === 'ended') settled += 1;
  while (passed < settled && unitAt(units, passed)?.grown === true) passed += 1;
  return settled === known.settled && passed === known.passed ? known : { ...known, settled, passed };
}

/** The same units in the same places, one of them changed. */
function withUnit(units: UnitPages, unit: Unit): UnitPages {
  const page = Math.floor(unit.index / PAGE);
  const changed = units.with(page, (units[page] ?? []).with(unit.index % PAGE, unit));
  KNOWN.set(changed, settledIn(changed, knownOf(units)));
  return changed;
}

export const isEveryUnitEnded = (units: UnitPages): boolean => {
  const { settled, count } = knownOf(units);
  return settled === count;
};

export const unitCount = (units: UnitPages): number => knownOf(units).count;

/** How many joined because the pool grew. */
export const grownCount = (units: UnitPages): number => knownOf(units).grown;

/** Whether some of these units wait for others. */
export const isOrdered = (units: UnitPages): boolean => knownOf(units).isOrdered;

/** The units in order, without those at the start that have ended. */
export const openUnits = (units: UnitPages): Iterable<Unit> => unitsFrom(units, knownOf(units).settled);

/** The units in order, without those at the start that have ended and made the pool grow. */
export const ungrownUnits = (units: UnitPages): Iterable<Unit> => unitsFrom(units, knownOf(units).passed);

function* unitsFrom(units: UnitPages, from: number): Generator<Unit> {
  const { count } = knownOf(units);
  for (let index = from; index < count; index += 1) {
    const unit = unitAt(units, index);
    if (unit !== undefined) yield unit;
  }
}

/** The outcome of units together with all parts that were split off from them. */
export interface UnitStanding {
  /** It succeeded, and so did all its parts. */
  readonly isMet: (id: string) => boolean;
  /** It will never be met. */
  readonly isLost: (id: string) => boolean;
}

/** Built when a unit that waits for another asks first: a pool reads all its units whenever one of them ends. */
export function unitStanding(units: UnitPages): UnitStanding {
  let maps: UnitMaps | null = null;
  const known = (): UnitMaps => (maps ??= mapsOf(units.flat()));
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

export const unitsInOrder = (task: Task | undefined): readonly Unit[] => task?.units?.flat() ?? [];

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
