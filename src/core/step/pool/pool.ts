import { endTask, endWaitingUnits, stopTask, unitTasks } from '../end-task.ts';
import { evaluateJson, type Evaluated } from '../../evaluate/evaluation.ts';
import type { Event } from '../../model/event.ts';
import type { NewUnit, ResolvedWork } from '../../record/task-fact.ts';
import type { TaskId } from '../../model/ids.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { judgeJoin, type JoinVerdict } from './join.ts';
import { mayCall, spends } from '../../model/limits.ts';
import type { Failure } from '../../model/outcome.ts';
import type { StepProgress } from '../progress.ts';
import type { Unit } from '../../fold/snapshot.ts';
import { resolve } from '../resolve-work.ts';
import { isWithoutSlot } from './slot.ts';
import { startTask, type WorkPlace } from '../start-task.ts';
import { unitProblem } from '../../check/unit-problem.ts';
import {
  isEveryUnitEnded,
  isOrdered,
  openUnits,
  poolOutput,
  ungrownUnits,
  unitCount,
  type UnitPages,
  unitOf,
  unitsInOrder,
  unitStanding,
} from '../../fold/units.ts';
import type { PoolUnit, PoolWork, UnitWork, WorkState } from '../../model/workflow.ts';

/**
 * Runs many units at once. Slots are assigned in the order units joined the pool, so the schedule is the same on every
 * replay. Every unit has an outcome before the pool does (L5).
 */
export function progressPool(progress: StepProgress, pool: TaskId): void {
  const state = stateOf(progress, pool);
  if (state === null || progress.task(pool)?.stopping !== null) return;
  // A unit may end as soon as it starts, which frees its slot and decides about others, so this repeats until nothing
  // changes.
  let seq: number;
  do {
    seq = progress.snapshot.seq;
    if (!onePass(progress, pool, state)) return;
  } while (progress.snapshot.seq > seq);
}

/** False when the pool has ended, or waits for the isolate or a person. */
function onePass(progress: StepProgress, pool: TaskId, state: PoolState): boolean {
  if (!seed(progress, pool, state)) return false;
  if (!growFromEnded(progress, pool, state)) return false;
  skipHopeless(progress, pool);
  const verdict = verdictOn(progress, pool, state.work);
  if (verdict === null) return startReady(progress, pool, state);
  conclude(progress, pool, verdict);
  return false;
}

/** Looks at all units only where they may decide the pool. */
function verdictOn(progress: StepProgress, pool: TaskId, { join, called }: PoolWork): JoinVerdict | null {
  const isOpen = !isEveryUnitEnded(pagesOf(progress, pool));
  return isOpen && join.rule !== 'first' ? null : judgeJoin(join, unitsOf(progress, pool), called);
}

interface PoolState {
  readonly state: WorkState;
  readonly work: PoolWork;
}

function stateOf(progress: StepProgress, pool: TaskId): PoolState | null {
  const task = progress.task(pool);
  const state = task === undefined ? undefined : progress.workflow.states[task.state];
  return state?.kind === 'work' && state.work.kind === 'pool' ? { state, work: state.work } : null;
}

const pagesOf = (progress: StepProgress, pool: TaskId): UnitPages => progress.task(pool)?.units ?? [];

const unitsOf = (progress: StepProgress, pool: TaskId): readonly Unit[] => unitsInOrder(progress.task(pool));

/** The units the pool begins with. A list of items may need the isolate, so it is asked for until it is there. */
function seed(progress: StepProgress, pool: TaskId, { state, work }: PoolState): boolean {
  if (unitCount(pagesOf(progress, pool)) > 0) return true;
  if (work.units.kind === 'fixed') return addNew(progress, pool, { units: fixedUnits(work.units.list), by: null });
  const place = { key: 'items', what: `The items of state ${state.name}`, locals: {}, at: state.at };
  const found = readItems(evaluateJson(progress, work.units.items, place));
  if (found.kind === 'pending') return false;
  if (found.kind === 'failed') return failPool(progress, pool, found.failure);
  return addNew(progress, pool, { units: found.value.map(newUnit), by: null });
}

const fixedUnits = (list: readonly PoolUnit[]): readonly NewUnit[] =>
  list.map((unit) => ({ id: unit.id, after: unit.after, item: null }));

function readItems(found: Evaluated<Json>): Evaluated<readonly Json[]> {
  if (found.kind !== 'value') return found;
  if (Array.isArray(found.value)) return { kind: 'value', value: found.value as readonly Json[] };
  const failure: Failure = { code: 'ITEMS_NOT_A_LIST', message: 'A pool needs a list of items.', class: 'script' };
  return { kind: 'failed', failure };
}

function addNew(
  progress: StepProgress,
  pool: TaskId,
  given: { readonly units: readonly NewUnit[]; readonly by: string | null },
): boolean {
  const problem = unitProblem(pagesOf(progress, pool), given);
  if (problem !== null) return failPool(progress, pool, problem);
  progress.record({ kind: 'units.added', task: pool, by: given.by, units: given.units });
  return true;
}

/** Items become units: an item's own `id` and `after` are used where it has them. */
function newUnit(item: Json, index: number): NewUnit {
  const id = isJsonObject(item) && typeof item['id'] === 'string' ? item['id'] : String(index);
  const after = isJsonObject(item) && Array.isArray(item['after']) ? item['after'].map(String) : [];
  const partOf = isJsonObject(item) && typeof item['part_of'] === 'string' ? { partOf: item['part_of'] } : {};
  return { id, after, item, ...partOf };
}

function failPool(progress: StepProgress, pool: TaskId, failure: Failure): false {
  const task = progress.task(pool);
  if (task !== undefined) stopTask(progress, task, failure);
  return false;
}

function growFromEnded(progress: StepProgress, pool: TaskId, { state, work }: PoolState): boolean {
  if (work.grow === null) return true;
  for (const unit of ungrownUnits(pagesOf(progress, pool))) {
    if (unit.status !== 'ended' || unit.grown) continue;
    const place = {
      key: `grow/${unit.id}`,
      what: `grow of state ${state.name}`,
      locals: unitLocals(unit),
      at: state.at,
    };
    const found = readItems(evaluateJson(progress, work.grow, place));
    if (found.kind === 'pending') return false;
    if (found.kind === 'failed') return failPool(progress, pool, found.failure);
    const count = unitCount(pagesOf(progress, pool));
    const units = found.value.map((item, index) => newUnit(item, count + index));
    if (!addNew(progress, pool, { units, by: unit.id })) return false;
  }
  return true;
}

function unitLocals(unit: Unit): JsonObject {
  return { item: unit.item, index: unit.index, unit: unit.id, result: unit.output, outcome: unit.outcome };
}

/** A unit whose dependency did not succeed can never start. */
function skipHopeless(progress: StepProgress, pool: TaskId): void {
  let again = isOrdered(pagesOf(progress, pool));
  while (again) {
    again = false;
    const units = pagesOf(progress, pool);
    const { isLost } = unitStanding(units);
    for (const unit of openUnits(units)) {
      if (unit.status !== 'waiting' || unit.after.length === 0) continue;
      const lost = unit.after.find((id) => isLost(id));
      if (lost === undefined) continue;
      const reason = `It depends on ${lost}, which did not come out ok.`;
      progress.record({ kind: 'unit.ended', task: pool, unit: unit.id, outcome: 'skipped', reason });
      again = true;
    }
  }
}

/** Assigns free slots to units that may start. False while an input is still being evaluated by the isolate. */
function startReady(progress: StepProgress, pool: TaskId, place: PoolState): boolean {
  const units = pagesOf(progress, pool);
  // Only units that run or return have a task, and those are few.
  const atWork = unitTasks(progress, pool).flatMap(({ unit }) => unitOf(units, unit ?? '') ?? []);
  const running = atWork.filter((unit) => unit.status === 'running').length;
  const returning = atWork.filter((unit) => unit.status === 'returning').sort((one, other) => one.index - other.index);
  const free = Math.max(0, place.work.slots - running);
  const ready = firstReady(units, free - returning.length);
  for (const unit of returning.slice(0, free)) giveBack(progress, pool, unit);
  for (const unit of ready) {
    if (!startUnit(progress, pool, { ...place, unit })) return false;
  }
  return true;
}

/** The first `count` units that may start, in the order they joined. */
function firstReady(units: UnitPages, count: number): readonly Unit[] {
  const ready: Unit[] = [];
  if (count <= 0) return ready;
  const { isMet } = unitStanding(units);
  for (const unit of openUnits(units)) {
    if (ready.length >= count) break;
    if (unit.status === 'waiting' && unit.after.every((id) => isMet(id))) ready.push(unit);
  }
  return ready;
}

/** It has a slot again; its work may start once this run has a slot itself. */
function giveBack(progress: StepProgress, pool: TaskId, { id }: Unit): void {
  progress.record({ kind: 'unit.moved', task: pool, unit: id, to: 'running' });
  const task = unitTasks(progress, pool).find(({ unit }) => unit === id);
  if (task !== undefined && !isWithoutSlot(progress.snapshot)) progress.emit({ kind: 'child.go', task: task.id });
}

function startUnit(progress: StepProgress, pool: TaskId, given: PoolState & { readonly unit: Unit }): boolean {
  const { state, unit } = given;
  const work = workOf(given);
  if (work === undefined) return loseUnit(progress, pool, { unit, reason: 'The pool has no work for it.' });
  if (spends(work) && !mayCall(progress)) return false;
  const locals = { ...unitLocals(unit), ...othersOf(progress, pool, given) };
  const place: WorkPlace = { state, key: `unit/${unit.id}`, locals, pool, unit: unit.id };
  const resolved: Evaluated<ResolvedWork> = resolve(progress, work, place);
  if (resolved.kind === 'pending') return false;
  if (resolved.kind === 'failed') return loseUnit(progress, pool, { unit, reason: resolved.failure.message });
  startTask(progress, resolved.value, place);
  return true;
}

/** Results of other units by id: of all that ended in a fixed pool, of its dependencies in a list of items. */
function othersOf(
  progress: StepProgress,
  pool: TaskId,
  { work, unit }: PoolState & { readonly unit: Unit },
): JsonObject {
  const all = pagesOf(progress, pool);
  const before = work.units.kind === 'fixed' ? all.flat() : unit.after.flatMap((id) => unitOf(all, id) ?? []);
  const ended = before.filter(({ status }) => status === 'ended');
  return { units: Object.fromEntries(ended.map(({ id, outcome, output }) => [id, { outcome, output }])) };
}

function loseUnit(progress: StepProgress, pool: TaskId, lost: { readonly unit: Unit; readonly reason: string }): true {
  progress.record({ kind: 'unit.ended', task: pool, unit: lost.unit.id, outcome: 'failed', reason: lost.reason });
  return true;
}

function workOf({ work, unit }: PoolState & { readonly unit: Unit }): UnitWork | undefined {
  return work.units.kind === 'items' ? work.units.work : work.units.list.find((one) => one.id === unit.id)?.work;
}

function conclude(progress: StepProgress, pool: TaskId, verdict: JoinVerdict): void {
  const over: Failure = { code: 'NOT_NEEDED', message: 'The pool was decided without it.', class: 'cancelled' };
  for (const task of unitTasks(progress, pool)) stopTask(progress, task, over);
  endWaitingUnits(progress, pool, over);
  if (unitTasks(progress, pool).length > 0) return;
  const output = poolOutput(progress.task(pool), verdict.winner);
  endTask(progress, pool, { outcome: verdict.outcome, output, failure: verdict.failure });
}

/** Units added from outside while the pool runs; a pool that still waits for its own items takes none. */
export function offerUnits(progress: StepProgress, event: Extract<Event, { kind: 'units.offered' }>): void {
  const known = pagesOf(progress, event.task);
  if (unitCount(known) === 0 || stateOf(progress, event.task)?.work.units.kind !== 'items') return;
  // A pool that was ordered to stop starts nothing more, and only waits for its children.
  if (progress.task(event.task)?.stopping !== null) return;
  if (unitProblem(known, event) !== null) return;
  progress.record({ kind: 'units.added', task: event.task, by: null, units: event.units });
}
