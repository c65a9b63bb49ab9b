import type { Spent } from '../../../core/model/usage.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { Unit } from '../../../core/fold/snapshot.ts';
import { unitsInOrder } from '../../../core/fold/units.ts';
import { treeCost } from '../../../core/fold/tree-cost.ts';
import { NO_USAGE } from '../../../core/model/usage.ts';
import type { BegunUnit } from './quest-notes.ts';
import { keptQuest, type QuestPage } from './quest-page.ts';
import type { QuestMerge, QuestSession, QuestStep, StepStatus } from './quest-view.ts';

export type Pages = ReadonlyMap<string, QuestPage>;

/** Every step that was ever planned, in order; those not begun are at the end. */
export function stepsOf(page: QuestPage, pages: Pages): readonly QuestStep[] {
  const { snapshot } = page;
  const open = Object.values(snapshot.tasks).filter(({ work }) => work.kind === 'pool');
  const pools = [...page.notes('closed'), ...open.map((task) => ({ pool: task.id, units: unitsInOrder(task) }))];
  const begun = page.notes('begun');
  const steps = pools.flatMap(({ pool, units }) =>
    units.map((unit) => {
      const tries = begun.filter((one) => one.pool === pool && one.unit === unit.id);
      return stepView(unit, tries, pages);
    }),
  );
  const known = new Set(steps.map(({ id }) => id));
  const planned = objectsIn(keptQuest(snapshot.data)['steps']).filter((item) => !known.has(textIn(item['id'])));
  return [...steps, ...planned.map((item) => stepView(plannedUnit(item), [], pages))];
}

function plannedUnit(item: JsonObject): Unit {
  const still = { status: 'waiting', outcome: null, output: null, reason: null, grown: false, index: 0 } as const;
  return { ...still, id: textIn(item['id']), after: textsIn(item['after']), item };
}

function stepView(unit: Unit, tries: readonly BegunUnit[], pages: Pages): QuestStep {
  const item = isJsonObject(unit.item) ? unit.item : {};
  const run = tries.at(-1)?.run ?? null;
  const work = workOf(run, pages);
  return {
    id: unit.id,
    kind: item['begin'] === undefined ? 'step' : 'repair',
    title: textIn(item['title']),
    files: textsIn(item['files']),
    after: unit.after,
    acceptance: textsIn(item['acceptance']),
    ...(unit.partOf === undefined ? {} : { partOf: unit.partOf }),
    status: statusOf(unit, work.merge),
    attempts: tries.length,
    run,
    summary: summaryIn(unit.output),
    reason: unit.reason,
    ...work,
  };
}

type StepWork = Pick<QuestStep, 'sessions' | 'signals' | 'evidence' | 'checks' | 'merge' | 'usage' | 'costUsd'>;

const NO_WORK: StepWork = {
  sessions: [],
  signals: [],
  evidence: [],
  checks: [],
  merge: null,
  usage: NO_USAGE,
  costUsd: 0,
};

/** The work in its run; a fork does not have the runs that ended before it. */
function workOf(run: string | null, pages: Pages): StepWork {
  const page = run === null ? undefined : pages.get(run);
  if (page === undefined) return NO_WORK;
  return {
    sessions: sessionsOf(page),
    signals: page.notes('signal'),
    evidence: page.notes('evidence'),
    checks: page.notes('check'),
    merge: mergeOf(page),
    ...spentBy(page, pages),
  };
}

const summaryIn = (output: Json): string | null => (isJsonObject(output) ? textIn(output['summary']) : '') || null;

function statusOf({ status, outcome }: Unit, merge: QuestMerge | null): StepStatus {
  if (status !== 'ended' || outcome === null) return status === 'ended' ? 'done' : status;
  if (outcome !== 'ok') return outcome;
  return merge?.outcome === 'ok' ? 'merged' : 'done';
}

function mergeOf(page: QuestPage): QuestMerge | null {
  const merges = page.notes('merge');
  const last = merges.at(-1);
  return last === undefined ? null : { ...last, tries: merges.length };
}

/** Each conversation once, in the order in which they began. */
export function sessionsOf(page: QuestPage): readonly QuestSession[] {
  const sessions = Map.groupBy(page.notes('session'), ({ task }) => task);
  const found = new Map<string, QuestSession>();
  for (const { task, at, role, session: context } of page.turns()) {
    for (const { actor, session } of sessions.get(task) ?? [{ actor: 'model', session: context }]) {
      const key = JSON.stringify([role, actor, session]);
      const known = found.get(key) ?? { role, actor, session, turns: 0, since: at };
      found.set(key, { ...known, turns: known.turns + 1 });
    }
  }
  return [...found.values()];
}

/** The usage of a run and all below it. */
export const spentBy = ({ snapshot }: QuestPage, pages: Pages): Spent =>
  treeCost(snapshot, (run) => pages.get(run)?.snapshot);

const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const textsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map((one: Json) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];

const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
