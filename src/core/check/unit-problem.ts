import type { FaultCode } from '../codes/codes.ts';
import type { NewUnit } from '../record/task-fact.ts';
import type { Failure } from '../model/outcome.ts';
import type { Unit } from '../fold/snapshot.ts';
import { grownCount, isOrdered, unitCount, type UnitPages, unitOf } from '../fold/units.ts';

const MOST_UNITS = 100_000;

/** More means a pool that grows without end: each of these would be an agent's turn, a command or a run. */
const MOST_GROWN = 2000;

interface AddedUnits {
  readonly units: readonly NewUnit[];
  /** The unit of whose result the pool grows, where it does. */
  readonly by?: string | null;
}

/** Why these units cannot join the pool, or null. Each must be able to start eventually and to end with an outcome (L5). */
export function unitProblem(known: UnitPages, { units, by = null }: AddedUnits): Failure | null {
  if (unitCount(known) + units.length > MOST_UNITS) {
    return problem('TOO_MANY_UNITS', `The pool would have more than ${MOST_UNITS} units.`);
  }
  if (by !== null && grownCount(known) + units.length > MOST_GROWN) {
    return problem('TOO_MANY_UNITS', `The pool would grow by more than ${MOST_GROWN} units.`);
  }
  return nameProblem(known, units) ?? waitProblem(known, units);
}

const problem = (code: FaultCode, message: string): Failure => ({ code, message, class: 'logic' });

function nameProblem(known: UnitPages, units: readonly NewUnit[]): Failure | null {
  const names = new Set<string>();
  for (const { id } of units) {
    if (id === '__proto__') return problem('UNIT_NAME', `A unit cannot be called ${id}.`);
    if (names.has(id) || unitOf(known, id) !== undefined) {
      return problem('UNIT_DUPLICATE', `Two units are called ${id}.`);
    }
    names.add(id);
  }
  return null;
}

function waitProblem(known: UnitPages, units: readonly NewUnit[]): Failure | null {
  const names = new Set(units.map((unit) => unit.id));
  for (const unit of units) {
    const missing = unit.after.find((id) => !names.has(id) && unitOf(known, id) === undefined);
    if (missing === undefined) continue;
    return problem('UNIT_UNKNOWN', `Unit ${unit.id} waits for ${missing}, which is not in the pool.`);
  }
  const stranger = units.find(({ partOf }) => partOf !== undefined && unitOf(known, partOf) === undefined);
  if (stranger !== undefined) {
    return problem('UNIT_UNKNOWN', `Unit ${stranger.id} is part of ${stranger.partOf}, which is not in the pool.`);
  }
  if (!isOrdered(known) && units.every(({ after }) => after.length === 0)) return null;
  const stuck = unitsThatCannotStart(known.flat(), units);
  if (stuck.length === 0) return null;
  return problem('UNIT_CYCLE', `These units wait for each other and can never start: ${stuck.join(', ')}.`);
}

/** Removes units that can start, then those that can start after them, until nothing changes. Running units wait for none. */
function unitsThatCannotStart(known: readonly Unit[], units: readonly NewUnit[]): readonly string[] {
  const parts = Map.groupBy([...known, ...units], ({ partOf }) => partOf);
  const open = [...known.filter(({ status }) => status === 'waiting'), ...units];
  const waiting = new Map(open.map((unit) => [unit.id, unit.after.flatMap((id) => withParts(parts, id))]));
  let size: number;
  do {
    size = waiting.size;
    for (const [id, after] of waiting) if (!after.some((other) => waiting.has(other))) waiting.delete(id);
  } while (waiting.size < size);
  return [...waiting.keys()];
}

/** Waiting for a unit includes waiting for its parts, and for their parts. */
function withParts(parts: ReadonlyMap<string | undefined, readonly NewUnit[]>, id: string): readonly string[] {
  const all = new Set([id]);
  for (const one of all) for (const part of parts.get(one) ?? []) all.add(part.id);
  return [...all];
}
