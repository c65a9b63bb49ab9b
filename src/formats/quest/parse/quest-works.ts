import type { Position } from '../../../core/model/fault.ts';
import { SIGNALS } from '../../../core/model/signal-name.ts';
import type { CommandWork, ContextSpec, State, TurnWork } from '../../../core/model/workflow.ts';
import { defined } from '../../../source/defined.ts';
import { code, goTo, to, workState, type PlacedAgent } from '../../../source/model-parts.ts';
import { clearState, KEPT } from '../rules/quest-state.ts';
import { PLACES, type RoleRules } from '../rules/quest-table.ts';
import type { QuestPart, QuestPlan } from './quest-plan.ts';

/** Pieces that the states of a quest and of its steps are made of. */

/** The state in which the rules decide what follows another one. */
export const afterState = (state: string): string => `after_${state}`;

/** The state that a decision or a new session belongs to, for drawings. */
export const drawnState = (state: string): string => state.replace(/^(?:after|clear)_/, '');

/** Decides by the rules, and goes to one of these. */
export function decides(name: string, program: string, targets: readonly string[]): State {
  return workState(
    name,
    { kind: 'compute', program, input: code('null'), keeps: KEPT },
    { transitions: [...new Set(targets)].map((target) => goTo(target)) },
  );
}

export const saysNow = (role: string, step: string): TurnWork => ({
  kind: 'turn',
  agent: role,
  mode: 'ask',
  input: code(`common_data.${KEPT}.say`),
  step: code(step),
});

/** After a session without room a new one starts, which sees the files. */
export const clears = (role: string, target: string, name = clearState(role)): State =>
  workState(name, { kind: 'turn', agent: role, mode: 'clear', input: null }, { transitions: [to(target)] });

export const asks = (name: string): State =>
  workState(
    name,
    { kind: 'ask', question: code(`common_data.${KEPT}.question`), choices: [] },
    { transitions: [to(afterState(name))] },
  );

export const runs = (command: string): CommandWork => ({ kind: 'command', command: code(command), okExitCodes: [0] });

/** A command that hangs is stopped after half an hour, and is as red as any. */
export const RED = ['failed', 'timeout', 'crashed'] as const;

export function agentsIn({ table, contextOf, placeOf }: QuestPlan, part: QuestPart): readonly PlacedAgent[] {
  return Object.keys(table[part]).map((role) => ({
    name: role,
    role,
    context: contextOf(part, role),
    side: 'assistant',
    ...defined({ at: placeOf(part, role) }),
  }));
}

const MAX_LENGTH = 400_000;

export function contextsIn({ table, contextOf }: QuestPlan, part: QuestPart): readonly ContextSpec[] {
  const names = new Set(Object.keys(table[part]).map((role) => contextOf(part, role)));
  return [...names].map((name) => ({ name, startingMessages: [], maxLength: MAX_LENGTH }));
}

/** The targets of a role's signals in the table, including those after its tries. */
export const placesOf = ({ routes }: RoleRules): readonly string[] =>
  SIGNALS.flatMap((signal) => {
    const route = routes[signal];
    return route === undefined ? [] : [route.to, ...(route.then === undefined ? [] : [route.then])];
  });

/** Whether another role works first: the one that the signal names, or the one that the table does. */
export const isCall = (place: string): boolean => place === 'followup' || !PLACES.some((one) => one === place);

/** Everything that could go round is bounded by its tries. */
export const ITERATIONS = 200;

export const placed = (state: State, at: Position | undefined): State => ({ ...state, ...defined({ at }) });

export const stepWorkflowName = ({ name }: QuestPlan): string => `${name}_step`;
