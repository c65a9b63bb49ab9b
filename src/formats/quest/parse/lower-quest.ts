import type { Json, JsonObject } from '../../../core/model/json.ts';
import {
  DEFAULT_LIMITS,
  type Parameter,
  type PoolWork,
  type State,
  type Workflow,
} from '../../../core/model/workflow.ts';
import { defined } from '../../../source/defined.ts';
import { byName, code, diffWork, endState, leadsTo, workState } from '../../../source/model-parts.ts';
import { clearState, KEPT, NEW_QUEST, QUEST_STATES } from '../rules/quest-state.ts';
import { requiredRole, type QuestDuty } from '../rules/quest-table.ts';
import type { QuestPlan } from './quest-plan.ts';
import * as works from './quest-works.ts';

const { tryWard, ask, work, ward, review, reviewDiff, partlyDone, gaveUp, stop } = QUEST_STATES;
const { afterState } = works;

/**
 * Requirements, a plan of steps, the steps several at a time, and a review of the whole. The rules decide after every state;
 * each place they can go to is a transition, so that drawings and `check` see all of them.
 */
export function lowerQuest(plan: QuestPlan): Workflow {
  return {
    name: plan.name,
    description: plan.description,
    family: 'quest',
    inputs: [REQUEST, ...(plan.ward === null ? WARD : [])],
    output: { name: 'report', type: 'object' },
    data: {
      ward: plan.ward ?? [],
      ward_from: [],
      [KEPT]: NEW_QUEST as unknown as Json,
    },
    plan: plan.table as unknown as JsonObject,
    contexts: works.contextsIn(plan, 'quest'),
    agents: works.agentsIn(plan, 'quest'),
    start: 'start',
    states: byName(statesOf(plan)),
    limits: { ...DEFAULT_LIMITS, iterations: works.ITERATIONS },
    ...defined({ file: plan.file }),
  };
}

const REQUEST: Parameter = {
  name: 'request',
  type: 'string',
  description: 'What is wanted, in your own words',
  required: true,
};

const WARD: readonly Parameter[] = [
  {
    name: 'ward',
    type: 'array',
    description: 'The commands that must succeed, such as npm test; the engine runs them',
    required: false,
  },
  {
    name: 'ward_from',
    type: 'array',
    description: 'Which file each of these commands was found in',
    required: false,
  },
];

const decides = (name: string, targets: readonly string[]): State => works.decides(name, 'quest.decide', targets);

function statesOf(plan: QuestPlan): readonly State[] {
  const { quest } = plan.table;
  const first = requiredRole(quest, 'requirements');
  const reviewer = requiredRole(quest, 'review');
  const report = `common_data.${KEPT}.report`;
  const failure = `common_data.${KEPT}.problem`;
  return [
    decides('start', [tryWard, first]),
    workState(
      tryWard,
      works.runs(`common_data.ward[common_data.${KEPT}.tried]`),
      leadsTo(afterState(tryWard), works.RED),
    ),
    decides(afterState(tryWard), [tryWard, first, gaveUp]),
    ...Object.keys(quest).flatMap((role) => roleStates(plan, role)),
    ...asking(plan),
    workState(work, poolOf(plan), leadsTo(afterState(work))),
    decides(afterState(work), [...Object.keys(quest).filter((role) => waitsForWork(plan, role)), ward, review, gaveUp]),
    workState(ward, works.runs(`common_data.${KEPT}.ward`), leadsTo(afterState(ward), works.RED)),
    decides(afterState(ward), [review, work, partlyDone]),
    // Always a new session: a reviewer that has seen the defects looks only for those.
    works.clears(reviewer, reviewDiff, review),
    workState(reviewDiff, diffWork(), leadsTo(afterState(reviewDiff), works.RED)),
    decides(afterState(reviewDiff), [reviewer, partlyDone]),
    endState(partlyDone, 'partial', { output: report, failure }),
    endState(gaveUp, 'failed', {
      output: `({ request: common_data.request, steps: common_data.${KEPT}.done })`,
      failure,
    }),
    endState(stop, 'ok', { output: report }),
  ];
}

/** The turn of a role, the decision after it, and a new session of it where its table has one. */
function roleStates(plan: QuestPlan, role: string): readonly State[] {
  const rules = plan.table.quest[role];
  if (rules === undefined) return [];
  const turn = works.saysNow(role, JSON.stringify(rules.does));
  // All steps are merged: unreviewed work is partial, and says so.
  const outcomes = rules.does === 'review' ? works.RED : [];
  const places = works.placesOf(rules);
  return [
    works.placed(workState(role, turn, leadsTo(afterState(role), outcomes)), plan.placeOf('quest', role)),
    decides(afterState(role), [
      ...places.flatMap((place) => targetsOf(plan, role, place)),
      ...(rules.does === 'review' ? [partlyDone] : [role]),
      gaveUp,
    ]),
    ...(places.includes('continue') ? [works.clears(role, role)] : []),
  ];
}

/** The states behind a place of the table. */
function targetsOf({ table }: QuestPlan, role: string, place: string): readonly string[] {
  const next: Readonly<Record<QuestDuty, readonly string[]>> = {
    requirements: [requiredRole(table.quest, 'plan')],
    plan: [work],
    review: [stop, partlyDone],
  };
  switch (place) {
    case 'next':
      return next[table.quest[role]?.does ?? 'review'];
    case 'continue':
      return [clearState(role)];
    case 'ask':
      return [ask];
    case 'give_up':
      return [gaveUp];
    default:
      return [work];
  }
}

/** A reviewer does not wait: its findings are reviewed again. */
const waitsForWork = ({ table }: QuestPlan, role: string): boolean =>
  Object.entries(table.quest).some(
    ([name, rules]) => name === role && rules.does !== 'review' && works.placesOf(rules).some(works.isCall),
  );

function asking({ table }: QuestPlan): readonly State[] {
  const askers = Object.entries(table.quest).filter(([, rules]) => works.placesOf(rules).includes('ask'));
  return askers.length === 0
    ? []
    : [
        works.asks(ask),
        decides(
          afterState(ask),
          askers.map(([role]) => role),
        ),
      ];
}

/** Every step is a separate run in its own workspace; a split step adds its parts. */
function poolOf(plan: QuestPlan): PoolWork {
  const kept = (key: string): string => `${key}: common_data.${KEPT}.${key}`;
  const quest = `({ request: common_data.request, ${['requirements', 'contexts', 'observables', 'titles', 'done'].map(kept).join(', ')}, units: units })`;
  return {
    kind: 'pool',
    units: {
      kind: 'items',
      items: code(`common_data.${KEPT}.todo`),
      work: {
        kind: 'call',
        workflow: works.stepWorkflowName(plan),
        input: { step: code('item'), ward: code('common_data.ward'), quest: code(quest) },
        workspace: 'own',
      },
    },
    slots: plan.slots,
    join: { rule: 'any' },
    grow: code("outcome === 'ok' ? result.parts : []"),
  };
}
