import { Fault } from '../../../core/model/fault.ts';
import { type AgentMessage, metadataOf, verdictOf } from './agent-message.ts';
import { processWide } from './ambient.ts';
import type { StageCondition, WorkflowStage } from './workflow-definition.ts';
import type { StageWorkflowState } from './workflow-state.ts';

export type ConditionCheck = (
  state: StageWorkflowState,
  message: AgentMessage | undefined,
  stage: WorkflowStage,
) => boolean;

const checks = processWide('conditions', () => new Map<string, ConditionCheck>());

/** Makes a function known to `{ type: 'custom', customCheck: name }`. A name means one function. */
export function registerCondition(name: string, check: ConditionCheck): void {
  const known = checks.get(name);
  if (known !== undefined && known !== check) {
    throw new Fault('CONDITION_DUPLICATE', `The condition "${name}" is registered already.`, {
      hint: 'Give one of the two another name.',
    });
  }
  checks.set(name, check);
}

/** Forgets what was registered: before the files of workflows are read again. */
export function forgetConditions(): void {
  checks.clear();
}

export function isConditionKnown(name: string): boolean {
  return checks.has(name);
}

/** Whether a stage should run. Without a message, the newest one of the run that the condition is about is looked at. */
export function evaluateStageCondition(
  stage: WorkflowStage,
  state: StageWorkflowState,
  message?: AgentMessage,
): boolean {
  const { condition } = stage;
  if (condition === undefined) return true;
  switch (condition.type) {
    case 'message_received':
      return isReceived(condition, state, message);
    case 'verdict':
      return isVerdict(condition, message ?? newest(state, (one) => one.type === 'review'));
    case 'count':
      return isEnough(condition, state, message);
    case 'custom':
      return customCheck(condition)(state, message, stage);
    default:
      throw new Fault(
        'UNKNOWN_CONDITION',
        `The stage "${stage.name}" has a condition of the unknown type "${String(condition.type)}".`,
        { hint: 'There are message_received, verdict, count and custom.' },
      );
  }
}

function isReceived(condition: StageCondition, state: StageWorkflowState, message: AgentMessage | undefined): boolean {
  const fits = (one: AgentMessage): boolean =>
    (condition.messageType === undefined || one.type === condition.messageType) &&
    (condition.from === undefined || one.from === condition.from);
  return message === undefined ? newest(state, fits) !== undefined : fits(message);
}

function isVerdict({ verdict }: StageCondition, message: AgentMessage | undefined): boolean {
  const given = verdictOf(message);
  return given !== undefined && (verdict === undefined || given === verdict);
}

function isEnough(condition: StageCondition, state: StageWorkflowState, message: AgentMessage | undefined): boolean {
  const field = condition.countField ?? '';
  const about = message ?? newest(state, (one) => metadataOf(one, field) !== undefined);
  const value = metadataOf(about, field);
  const count = Array.isArray(value) ? value.length : typeof value === 'number' ? value : 0;
  return count >= (condition.threshold ?? 1);
}

function customCheck({ customCheck: name }: StageCondition): ConditionCheck {
  const check = checks.get(name ?? '');
  if (check !== undefined) return check;
  throw new Fault('UNKNOWN_CONDITION', `No condition is registered as "${name ?? ''}".`, {
    hint: `Call registerCondition('${name ?? 'name'}', …) in the file of the workflow.`,
  });
}

function newest(state: StageWorkflowState, fits: (message: AgentMessage) => boolean): AgentMessage | undefined {
  return [...(state.messages ?? []), ...state.pendingMessages].findLast(fits);
}
