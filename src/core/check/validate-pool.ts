import type { Finding } from '../model/finding.ts';
import type { PoolUnit, PoolWork, WorkState } from '../model/workflow.ts';

/** A pool must be able to finish, and must not drop a unit unless the author says what happens then (L5). */
export function validatePool(state: WorkState, pool: PoolWork): readonly Finding[] {
  const path = `states.${state.name}.work`;
  const findings: Finding[] = [...validateJoin(state, pool, path)];
  if (!Number.isSafeInteger(pool.slots) || pool.slots < 1) {
    findings.push({ code: 'LIMIT_INVALID', message: 'A pool needs at least one slot.', path: `${path}.slots` });
  }
  if (pool.units.kind === 'fixed') findings.push(...validateUnits(pool.units.list, path));
  return findings;
}

function validateJoin(state: WorkState, pool: PoolWork, path: string): readonly Finding[] {
  const { join } = pool;
  const findings: Finding[] = [];
  if (join.rule === 'quorum' && (!Number.isSafeInteger(join.count) || join.count < 1)) {
    findings.push({ code: 'LIMIT_INVALID', message: 'A quorum needs at least one unit.', path: `${path}.join` });
  }
  const size = pool.units.kind === 'fixed' && pool.grow === null ? pool.units.list.length : Infinity;
  if (join.rule === 'quorum' && join.count > size) {
    findings.push({
      code: 'QUORUM_TOO_LARGE',
      message: `The quorum is ${join.count}, but the pool has only ${size} units.`,
      path: `${path}.join`,
    });
  }
  if (join.rule !== 'all' && state.on.partial === undefined) {
    findings.push({
      code: 'JOIN_DROPS_UNITS',
      message: `The pool "${state.name}" continues when units were not ok, but nothing handles them.`,
      path: `${path}.join`,
      hint: 'Handle the outcome "partial" of this state.',
    });
  }
  return findings;
}

function validateUnits(units: readonly PoolUnit[], path: string): readonly Finding[] {
  const known = new Set(units.map((unit) => unit.id));
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const [index, unit] of units.entries()) {
    const place = `${path}.units[${index}]`;
    if (seen.has(unit.id)) {
      findings.push({ code: 'UNIT_DUPLICATE', message: `Two units have the id "${unit.id}".`, path: place });
    }
    seen.add(unit.id);
    for (const id of unit.after.filter((one) => !known.has(one))) {
      const message = `The unit "${unit.id}" waits for "${id}", which is not a unit of the pool.`;
      findings.push({ code: 'UNIT_UNKNOWN', message, path: `${place}.after` });
    }
  }
  const stuck = unitsThatWaitForever(units);
  if (stuck.length > 0) {
    findings.push({
      code: 'UNIT_CYCLE',
      message: `These units wait for each other and can never start: ${stuck.join(', ')}.`,
      path: `${path}.units`,
    });
  }
  return findings;
}

/** The units left after removing those that can start, then those that can start after them, and so on. */
function unitsThatWaitForever(units: readonly PoolUnit[]): readonly string[] {
  const ids = new Set(units.map((unit) => unit.id));
  // Unknown ids are reported elsewhere.
  const waitsFor = new Map(units.map((unit) => [unit.id, new Set(unit.after.filter((id) => ids.has(id)))]));
  const dependents = dependentsOf(waitsFor);
  const ready = [...waitsFor].filter(([, after]) => after.size === 0).map(([id]) => id);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    waitsFor.delete(id);
    for (const dependent of dependents.get(id) ?? []) {
      const after = waitsFor.get(dependent);
      if (after?.delete(id) && after.size === 0) ready.push(dependent);
    }
  }
  return [...waitsFor.keys()];
}

function dependentsOf(waitsFor: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>([...waitsFor.keys()].map((id) => [id, []]));
  for (const [id, after] of waitsFor) for (const other of after) dependents.get(other)?.push(id);
  return dependents;
}
