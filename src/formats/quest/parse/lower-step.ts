import type { Json, JsonObject } from '../../../core/model/json.ts';
import {
  DEFAULT_LIMITS,
  type Parameter,
  type State,
  type TurnWork,
  type Workflow,
} from '../../../core/model/workflow.ts';
import { defined } from '../../../source/defined.ts';
import { byName, code, diffWork, endState, leadsTo, to, workState } from '../../../source/model-parts.ts';
import { clearState, KEPT } from '../rules/quest-state.ts';
import { NEW_STEP, STEP_STATES } from '../rules/step-state.ts';
import type { QuestPlan } from './quest-plan.ts';
import * as works from './quest-works.ts';

const { ask, look, ward, home, gaveUp, stop } = STEP_STATES;
const { afterState } = works;

/** One step in its own workspace, from its first line to the merge into the whole. */
export function lowerStep(plan: QuestPlan): Workflow {
  const { step, limits } = plan.table;
  return {
    name: works.stepWorkflowName(plan),
    description: `Part of ${plan.name}: one step, from its first line to the merge into the whole`,
    family: 'quest',
    inputs: INPUTS,
    output: { name: 'report', type: 'object' },
    data: {
      ward: [],
      [KEPT]: NEW_STEP as unknown as Json,
    },
    plan: { step, limits } as unknown as JsonObject,
    contexts: works.contextsIn(plan, 'step'),
    agents: works.agentsIn(plan, 'step'),
    start: 'start',
    states: byName(statesOf(plan)),
    limits: { ...DEFAULT_LIMITS, iterations: works.ITERATIONS },
    ...defined({ file: plan.file }),
  };
}

const INPUTS: readonly Parameter[] = [
  { name: 'step', type: 'object', description: 'The step: id, title, files, acceptance, checks', required: true },
  { name: 'ward', type: 'array', description: 'The commands that must succeed', required: false },
  {
    name: 'quest',
    type: 'object',
    description: 'What the step belongs to: request, requirements, contexts, observables, titles, done, units',
    required: true,
  },
];

const decides = (name: string, targets: readonly string[]): State => works.decides(name, 'quest.decide_step', targets);

function statesOf(plan: QuestPlan): readonly State[] {
  const roles = Object.keys(plan.table.step);
  const kept = (key: string): string => `common_data.${KEPT}.${key}`;
  const merge = {
    kind: 'merge',
    agent: null,
    verify: code(kept('ward')),
    checks: code(kept('expects.commands')),
    ...(plan.reportsOverlap ? ({ reportsOverlap: true } as const) : {}),
  } as const;
  const askers = roles.filter((role) => placesOf(plan, role).includes('ask'));
  return [
    decides('start', roles),
    ...roles.flatMap((role) => roleStates(plan, role)),
    // The slot is free until a person answers; then the same session continues.
    ...(askers.length === 0 ? [] : [works.asks(ask), decides(afterState(ask), askers)]),
    workState(look, diffWork(), { transitions: [to(afterState(look))] }),
    decides(afterState(look), roles),
    workState(ward, works.runs(kept('ward')), leadsTo(afterState(ward), works.RED)),
    decides(afterState(ward), [look, home, gaveUp]),
    workState(home, merge, leadsTo(afterState(home), ['blocked', ...works.RED])),
    decides(afterState(home), [stop, look, ...roles, gaveUp]),
    endState(gaveUp, 'failed', {
      output: `({ id: common_data.step.id, summary: ${kept('summary')}, parts: [] })`,
      failure: kept('problem'),
    }),
    endState(stop, 'ok', {
      output: `({ id: common_data.step.id, summary: ${kept('summary')}, files: ${kept('files')}, parts: ${kept('parts')} })`,
    }),
  ];
}

const placesOf = ({ table }: QuestPlan, role: string): readonly string[] => {
  const rules = table.step[role];
  return rules === undefined ? [] : works.placesOf(rules);
};

function roleStates(plan: QuestPlan, role: string): readonly State[] {
  const places = placesOf(plan, role);
  const turn = workState(role, turnOf(plan, role), { transitions: [to(afterState(role))] });
  // A role that splits the step is sent the errors of the parts.
  const itself = plan.table.step[role]?.does === 'split' ? [role] : [];
  return [
    works.placed(turn, plan.placeOf('step', role)),
    decides(afterState(role), [...places.flatMap((place) => targetsOf(plan, role, place)), ...itself, gaveUp]),
    ...(places.includes('continue') ? [works.clears(role, look)] : []),
  ];
}

function turnOf({ table }: QuestPlan, role: string): TurnWork {
  const said = works.saysNow(role, 'common_data.step.id');
  const turn = { ...said, input: code(`common_data.${KEPT}.say + common_data.${KEPT}.hand_in`) };
  const owed = (key: string) => code(`common_data.${KEPT}.owed.${key}`);
  switch (table.step[role]?.does) {
    case 'split':
      return turn;
    case 'implement':
      // A step that was split changes nothing itself.
      return {
        ...turn,
        evidence: { files: owed('files'), commands: owed('commands') },
        changes: { when: code(`common_data.${KEPT}.parts.length === 0`) },
      };
    default:
      return { ...turn, evidence: { files: owed('files'), commands: owed('commands') } };
  }
}

/** The states behind a place of the table. */
function targetsOf(plan: QuestPlan, role: string, place: string): readonly string[] {
  const roles = Object.keys(plan.table.step);
  switch (place) {
    case 'next':
      return [...callersOf(plan, [role]), look, ward, home];
    case 'continue':
      return [clearState(role)];
    case 'ask':
      return [ask];
    case 'give_up':
      return [gaveUp];
    case 'followup':
      return roles;
    default:
      return [place];
  }
}

/** The roles that may wait for these: also those that called a role which called them. */
function callersOf(plan: QuestPlan, called: readonly string[], known: readonly string[] = []): readonly string[] {
  const roles = Object.keys(plan.table.step).filter((one) => !known.includes(one));
  const found = roles.filter((one) => called.some((role) => canCall(plan, one, role)));
  return found.length === 0 ? known : callersOf(plan, found, [...known, ...found]);
}

const canCall = (plan: QuestPlan, caller: string, role: string): boolean =>
  placesOf(plan, caller).some((place) => place === 'followup' || place === role);
